// Rules for automations: the actions that the phase allows, and their targets.
import type { Finding } from '../../errors/finding.ts'
import { didYouMean } from '../../errors/suggest.ts'
import { idOf } from '../component.ts'
import type { Rule } from '../define.ts'
import { duplicateItemFindings } from '../duplicates.ts'
import { membersExist } from '../members.ts'
import { paramFindings } from '../params.ts'
import { pointer } from '../pointer.ts'
import { errorFinding, joinWithOr } from '../report.ts'
import { reservedNames } from '../reserved-names.ts'
import type { AutomationAction, AutomationPhase } from './body.ts'
import { isVirtualObject } from '../object/source-limits.ts'
import { argumentFaults } from './operation-arguments.ts'
import { automationReferences } from './references.ts'

type AutomationRule = Rule<'automation'>

const afterWrite = ['create', 'update', 'publish', 'enqueue', 'raise'] as const

/** The actions of each phase; a callout never runs in the write transaction. */
export const actionsByPhase: Readonly<Record<AutomationPhase, readonly AutomationAction['type'][]>> = {
  before_write: ['assign', 'raise'],
  after_write: afterWrite,
  post_commit: ['callout', ...afterWrite],
  invocable: ['callout', ...afterWrite],
}

const objectFitsPhase: AutomationRule = (automation, { view }) => {
  const { object: key, phase } = automation.body
  const findings: Finding[] = []
  if (phase !== 'invocable' && key === undefined) {
    const message = `An automation at ${phase} needs an object whose saves trigger it. Add "object", or make the phase invocable.`
    findings.push(errorFinding(automation, '/body', 'automation.object', message))
  }
  if (phase === 'invocable' && key !== undefined) {
    const message = `An invocable automation is called by name and has no record. Remove "object", and pass values as parameters.`
    findings.push(errorFinding(automation, '/body/object', 'automation.object', message))
  }
  const object = key === undefined ? undefined : view.get('object', key)
  if (object?.body.storage === 'external') {
    const message = `${key} is virtual: its rows are not saved here, so they cannot trigger an automation. Choose a local object.`
    findings.push(
      errorFinding(automation, '/body/object', 'automation.object', message, {
        related: [{ component: idOf(object), path: '/body/storage' }],
      }),
    )
  }
  return findings
}

const callFitsPhase: AutomationRule = (automation) => {
  const { phase, params, grantedTo, returns } = automation.body
  if (phase === 'invocable') return []
  const because = [
    params.length > 0 && ['params', `has parameters; at ${phase} it reads the record`],
    grantedTo !== undefined && ['grantedTo', `is granted to permission sets; at ${phase} a save runs it`],
    returns !== undefined && ['returns', `returns values; at ${phase} nothing receives them`],
  ].filter((each) => each !== false)
  return because.map(([property, reason]) => {
    const message = `Only an invocable automation ${reason}. Remove "${property}", or make the phase invocable.`
    return errorFinding(automation, pointer('body', property!), 'automation.object', message)
  })
}

const actionsFitPhase: AutomationRule = (automation) => {
  const { phase, actions } = automation.body
  const allowed = actionsByPhase[phase]
  return actions.flatMap((action, at) => {
    if (allowed.includes(action.type)) return []
    const message = `"${action.type}" is not allowed at ${phase}${reasonWhy(action.type, phase)}. Use ${joinWithOr(allowed)}, or a different phase.`
    return [
      errorFinding(automation, pointer('body', 'actions', at, 'type'), 'automation.action_phase', message),
    ]
  })
}

function reasonWhy(type: AutomationAction['type'], phase: AutomationPhase): string {
  if (type === 'callout')
    return ', because a callout never runs in the write transaction; enqueue it at after_write'
  if (type === 'assign') return ', because the triggering row is already written or does not exist'
  return phase === 'before_write' ? ', which can only set fields of the triggering row' : ''
}

const targetsFit: AutomationRule = (automation, { view }) =>
  automation.body.actions.flatMap((action, at) => {
    const say = (property: string[], message: string) =>
      errorFinding(automation, pointer('body', 'actions', at, ...property), 'automation.target', message)
    if ((action.type === 'create' || action.type === 'update') && isVirtualObject(view, action.object))
      return [
        say(
          ['object'],
          `${action.object} is virtual: its rows are changed one by one, and never by a save or an automation. Choose a local object, or call the service.`,
        ),
      ]
    if (action.type === 'enqueue' || action.type === 'callout')
      return [...outboundFaults(action), ...argumentFaults(action, view)].map(([property, message]) =>
        say(property, message),
      )
    if (action.type === 'publish') {
      const channel = view.get('event_channel', action.channel)
      const schema = channel?.body.schema
      if (channel === undefined) return []
      if (schema === undefined)
        return [
          say(
            ['channel'],
            `${action.channel} carries the changes of an object. Choose a channel with a schema.`,
          ),
        ]
      const fieldKeys = schema.map((field) => field.key)
      return Object.keys(action.payload)
        .filter((name) => !fieldKeys.includes(name))
        .map((name) =>
          say(['payload', name], `${action.channel} has no field "${name}".${didYouMean(name, fieldKeys)}`),
        )
    }
    if (action.type === 'raise') {
      const names = automation.body.params.map((param) => param.key)
      const { field } = action
      if (automation.body.phase !== 'invocable' || field === undefined || names.includes(field)) return []
      return [say(['field'], `${automation.key} has no parameter "${field}".${didYouMean(field, names)}`)]
    }
    if (action.type === 'create' || action.type === 'update' || action.type === 'assign') {
      const key = action.type === 'assign' ? automation.body.object : action.object
      const object = key === undefined ? undefined : view.get('object', key)
      return (object?.body.fields ?? [])
        .filter(
          (field) => Object.hasOwn(action.values, field.key) && (field.formula ?? field.rollup) !== undefined,
        )
        .map((field) =>
          say(['values', field.key], `${field.key} is computed and cannot be written. Remove it.`),
        )
    }
    return []
  })

type Outbound = Extract<AutomationAction, { type: 'enqueue' | 'callout' }>

function outboundFaults(action: Outbound): [string[], string][] {
  const direct = action.credential !== undefined || action.method !== undefined || action.path !== undefined
  if (action.operation !== undefined) {
    if (direct)
      return [
        [
          ['operation'],
          'The call has both an operation and a credential, method or path. Remove one of the two.',
        ],
      ]
    if (/^[^.]+\..+$/.test(action.operation)) return []
    return [
      [
        ['operation'],
        `"${action.operation}" is not <service>.<operationId>, for example "ledger.createEntry".`,
      ],
    ]
  }
  const faults: [string[], string][] = []
  if (action.credential === undefined)
    faults.push([[], 'The call needs "operation", or "credential" with "method" and "path".'])
  else if (action.method === undefined || action.path === undefined)
    faults.push([
      [],
      'A call through a credential needs "method" and "path", for example "POST" and "/entries".',
    ])
  if (action.path !== undefined && (!action.path.startsWith('/') || action.path.startsWith('//')))
    faults.push([
      ['path'],
      `"${action.path}" is not a path below the URL of the credential. Start with one slash, without a host.`,
    ])
  return faults
}

const params: AutomationRule = (automation) => paramFindings(automation, automation.body.params)

const actionKeys: AutomationRule = (automation) =>
  duplicateItemFindings(automation, ['body', 'actions'], automation.body.actions, 'key')

/** The result of a callout is a name in the expressions of later actions. */
const calloutNames: AutomationRule = ({ type, key, body }, { view }) => {
  const fields = (body.object === undefined ? undefined : view.get('object', body.object))?.body.fields ?? []
  const taken = new Map<string, string>([
    ...[...reservedNames, 'prior', 'isNew', 'id'].map(
      (name) => [name, 'is reserved in expressions'] as const,
    ),
    ...fields.flatMap((field) =>
      [field.key, ...field.aliases].map((name) => [name, `is a field of ${body.object}`] as const),
    ),
    ...body.params.map((param) => [param.key, 'is a parameter'] as const),
  ])
  return body.actions.flatMap((action, at) => {
    const reason = action.type === 'callout' ? taken.get(action.key) : undefined
    if (reason === undefined) return []
    const message = `Later actions read the result of the callout as "${action.key}", which ${reason}. Choose a different key.`
    const place = pointer('body', 'actions', at, 'key')
    return [errorFinding({ type, key }, place, 'automation.callout_name', message)]
  })
}

export const automationRules: readonly AutomationRule[] = [
  objectFitsPhase,
  callFitsPhase,
  params,
  actionKeys,
  calloutNames,
  actionsFitPhase,
  targetsFit,
  membersExist(automationReferences),
]
