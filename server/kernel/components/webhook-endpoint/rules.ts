// Rules for webhook endpoints (docs/reference/component-types.md#webhook-endpoint).
import type { Finding } from '../../errors/finding.ts'
import type { ComponentOf } from '../body-types.ts'
import { idOf } from '../component.ts'
import type { Reference, Rule } from '../define.ts'
import { edge } from '../edges.ts'
import { secretNames } from '../external-credential/secret-slots.ts'
import { membersExist } from '../members.ts'
import { objectFieldOf } from '../object/field-named.ts'
import { isComputed } from '../object/is-computed.ts'
import { pointer } from '../pointer.ts'
import { explainUser } from '../principals.ts'
import { didYouMean } from '../../errors/suggest.ts'
import { headerPlace } from '../../webhooks/header-place.ts'
import { errorFinding } from '../report.ts'

type WebhookRule = Rule<'webhook_endpoint'>

export function webhookReferences({ body }: ComponentOf<'webhook_endpoint'>): Reference[] {
  const { publishTo, automation, upsert } = body.dispatch
  return [
    ...edge('external_credential', body.verification.externalCredential, [
      'verification',
      'externalCredential',
    ]),
    ...edge('event_channel', publishTo, ['dispatch', 'publishTo']),
    ...edge('automation', automation, ['dispatch', 'automation']),
    ...edge('object', upsert?.object, ['dispatch', 'upsert', 'object']),
    ...(upsert === undefined
      ? []
      : edge('object', upsert.object, ['dispatch', 'upsert', 'externalId'], upsert.externalId)),
    ...Object.keys(upsert?.values ?? {}).flatMap((field) =>
      edge('object', upsert?.object, ['dispatch', 'upsert', 'values', field], field),
    ),
  ]
}

/** The first path segments of the pages and files of the studio (renderer/router.ts, renderer/public). */
export const studioSegments = [
  ...['accounts', 'apps', 'archives', 'audit', 'c', 'changes', 'deploy', 'flags', 'generations'],
  ...['lookup', 'new', 'operate', 'people', 'playground', 'records', 'requests', 'restore', 'results'],
  ...['revert', 'search', 'settings', 'sign-in', 'time'],
  ...['icon.svg', 'index.html'],
]

/** The first path segments of the server's own surfaces (docs/reference/http.md). */
const reservedSegments = [
  ...studioSegments,
  'data',
  'events',
  'metadata',
  'setup',
  'invoke',
  'oauth2',
  'ofrep',
  'session',
  'healthz',
  'readyz',
  'metrics',
  'openapi.json',
  'assets',
  'docs',
  '.well-known',
]

const pathIsFree: WebhookRule = (webhook, { view }) => {
  const { path } = webhook.body
  const say = (message: string, other?: ComponentOf<'webhook_endpoint'>) =>
    errorFinding(webhook, '/body/path', 'webhook.path', message, {
      related: other === undefined ? [] : [{ component: idOf(other), path: '/body/path' }],
    })
  if (!/^(\/[A-Za-z0-9._~-]+)+$/.test(path) || /\/\.{1,2}(\/|$)/.test(path))
    return [
      say(
        `"${path}" is not a valid path. Write a path such as "/hooks/payments", with letters, digits and - . _ ~ between slashes.`,
      ),
    ]
  // The studio finds its pages in any case.
  if (reservedSegments.includes((path.split('/')[1] ?? '').toLowerCase()))
    return [
      say(
        `"${path}" is below a path that the platform uses. Choose a different path, such as "/hooks${path}".`,
      ),
    ]
  const findings: Finding[] = []
  for (const other of view.list('webhook_endpoint')) {
    if (other.key !== webhook.key && other.body.path === path)
      findings.push(say(`${other.key} already uses the path "${path}". Choose a different path.`, other))
  }
  return findings
}

const runAsIsLive: WebhookRule = (webhook, { principals }) => {
  const reason = explainUser(webhook.body.runAs, principals)
  return reason === null
    ? []
    : [
        errorFinding(
          webhook,
          '/body/runAs',
          'webhook.run_as',
          `Deliveries to the webhook "${webhook.key}" cannot run as the user "${webhook.body.runAs}". ${reason}`,
        ),
      ]
}

const oneTarget: WebhookRule = (webhook) => {
  const { values: _, ...target } = webhook.body.dispatch
  const targets = Object.keys(target)
  if (targets.length === 1) return []
  const message =
    targets.length === 0
      ? `${webhook.key} has no target for deliveries. Add one of "publishTo", "automation" or "upsert".`
      : `${webhook.key} has more than one target: ${targets.join(' and ')}. Keep exactly one.`
  return [errorFinding(webhook, '/body/dispatch', 'webhook.dispatch', message)]
}

const targetFits: WebhookRule = (webhook, { view }) => {
  const { publishTo, automation: key, upsert } = webhook.body.dispatch
  const findings: Finding[] = []
  const say = (steps: string[], message: string) =>
    findings.push(errorFinding(webhook, pointer('body', 'dispatch', ...steps), 'webhook.dispatch', message))
  const channel = publishTo === undefined ? undefined : view.get('event_channel', publishTo)
  if (channel !== undefined && channel.body.schema === undefined)
    say(['publishTo'], `${publishTo} carries the changes of an object. Choose a channel with a schema.`)
  const automation = key === undefined ? undefined : view.get('automation', key)
  if (automation !== undefined && automation.body.phase !== 'invocable')
    say(
      ['automation'],
      `${key} runs at ${automation.body.phase}, but a webhook can only call an invocable automation.`,
    )
  const object = upsert === undefined ? undefined : view.get('object', upsert.object)
  const id = object?.body.fields.find((field) => field.key === upsert?.externalId)
  if (id !== undefined && !id.unique)
    say(
      ['upsert', 'externalId'],
      `${upsert?.object}.${id.key} is not unique, so it cannot identify one record. Make it unique, or choose a different field.`,
    )
  const mapped = Object.entries(upsert?.values ?? {})
  if (id !== undefined && !mapped.some(([field]) => [id.key, ...id.aliases].includes(field)))
    say(
      ['upsert', 'values'],
      `The values do not contain ${id.key}, which identifies the record. Add it with a pointer into the body.`,
    )
  for (const [field, source] of mapped)
    if (!isPointer(source)) say(['upsert', 'values', field], noPointer(source))
  return findings
}

/** A name that the object does not have is reported as a reference. */
const recordCanBeWritten: WebhookRule = (webhook, { view }) => {
  const { upsert } = webhook.body.dispatch
  const object = upsert === undefined ? undefined : view.get('object', upsert.object)
  const names = new Map<string, string>()
  return Object.keys(upsert?.values ?? {}).flatMap((name) => {
    const field = object === undefined ? undefined : objectFieldOf(object, name)
    if (field === undefined) return []
    const say = (message: string): Finding[] => {
      const path = pointer('body', 'dispatch', 'upsert', 'values', name)
      return [errorFinding(webhook, path, 'webhook.dispatch', message)]
    }
    const other = names.get(field.key)
    names.set(field.key, name)
    if (other !== undefined) return say(`"${other}" and "${name}" are names of the same field. Keep one.`)
    return isComputed(field)
      ? say(`${upsert?.object}.${field.key} is computed, so a delivery cannot write it. Remove it.`)
      : []
  })
}

const valuesFit: WebhookRule = (webhook, { view }) => {
  const { publishTo, automation: key, values } = webhook.body.dispatch
  if (values === undefined) return []
  const say = (steps: string[], message: string): Finding =>
    errorFinding(webhook, pointer('body', 'dispatch', 'values', ...steps), 'webhook.dispatch', message)
  if (publishTo === undefined && key === undefined)
    return [say([], '"values" belongs to a channel or an automation. A record has its own, in "upsert".')]
  const channel = publishTo === undefined ? undefined : view.get('event_channel', publishTo)
  const automation = key === undefined ? undefined : view.get('automation', key)
  const names =
    channel?.body.schema?.map((field) => field.key) ?? automation?.body.params.map((param) => param.key)
  return Object.entries(values).flatMap(([name, source]) => {
    if (!isPointer(source)) return [say([name], noPointer(source))]
    if (names === undefined || names.includes(name)) return []
    const what = channel === undefined ? `parameter "${name}"` : `field "${name}"`
    return [say([name], `${publishTo ?? key} has no ${what}.${didYouMean(name, names)}`)]
  })
}

const isPointer = (source: string): boolean => /^(?:\/(?:[^~/]|~[01])*)+$/.test(source)

const noPointer = (source: string): string =>
  `"${source}" is not a pointer into the body. Write a pointer such as "/data/id".`

/** The secret is the slot `key` of the one principal, which all deliveries share. */
const secretFits: WebhookRule = (webhook, { view }) => {
  const { externalCredential: key } = webhook.body.verification
  const credential = view.get('external_credential', key)
  if (credential === undefined) return []
  const say = (message: string): Finding[] => [
    errorFinding(webhook, '/body/verification/externalCredential', 'webhook.secret', message, {
      related: [{ component: idOf(credential), path: '/body' }],
    }),
  ]
  const { principals } = credential.body
  const [principal] = principals
  if (principals.length !== 1 || principal?.mode !== 'named')
    return say(
      `${key} must have exactly one principal, of the mode "named", because its secret verifies the deliveries of everyone.`,
    )
  if (!secretNames(credential.body).includes('key'))
    return say(
      `${key} has no secret "key", with which deliveries are verified. Choose a credential of the scheme "api_key", or one of the scheme "custom" with a parameter "key".`,
    )
  return []
}

const placesFit: WebhookRule = (webhook) => {
  const { signatureHeader, timestampHeader, challenge } = webhook.body.verification
  const { idHeader } = webhook.body.dedupe
  const say = (path: string, message: string): Finding =>
    errorFinding(webhook, `/body/${path}`, 'webhook.template', message)
  const headers = [
    ['verification/signatureHeader', signatureHeader],
    ['verification/timestampHeader', timestampHeader],
    ['dedupe/idHeader', idHeader?.startsWith('body:') === true ? undefined : idHeader],
  ] as const
  const findings = headers.flatMap(([path, text]) =>
    text === undefined || headerPlace(text) !== null
      ? []
      : [
          say(
            path,
            `"${text}" is not the name of a header. Write a name such as X-Signature, or X-Signature#v1.`,
          ),
        ],
  )
  const pointers = [
    ['verification/challenge', challenge],
    ['dedupe/idHeader', idHeader?.startsWith('body:') === true ? idHeader.slice('body:'.length) : undefined],
  ] as const
  return [
    ...findings,
    ...pointers.flatMap(([path, text]) =>
      text === undefined || isPointer(text) ? [] : [say(path, noPointer(text))],
    ),
  ]
}

const templateFits: WebhookRule = (webhook) => {
  const { signedPayload, timestampHeader } = webhook.body.verification
  const { idHeader } = webhook.body.dedupe
  const say = (path: string, message: string) =>
    errorFinding(webhook, `/body/verification/${path}`, 'webhook.template', message)
  const findings: Finding[] = []
  if (!signedPayload.includes('{body}'))
    findings.push(
      say(
        'signedPayload',
        'The signed payload does not contain the body, so anyone could change it. Add {body} where the raw body belongs.',
      ),
    )
  const unknown =
    signedPayload.match(/\{[^}]*\}/g)?.filter((name) => !['{body}', '{timestamp}', '{id}'].includes(name)) ??
    []
  for (const name of unknown)
    findings.push(
      say('signedPayload', `${name} is not a part of a signed payload. Use {timestamp}, {id} and {body}.`),
    )
  if (signedPayload.includes('{timestamp}') && timestampHeader === undefined)
    findings.push(
      say(
        'signedPayload',
        'The signed payload contains {timestamp}, but timestampHeader is missing. Add it, or remove {timestamp}.',
      ),
    )
  if (signedPayload.includes('{id}') && (idHeader === undefined || idHeader.startsWith('body:')))
    findings.push(
      say(
        'signedPayload',
        'The signed payload contains {id}, but the idHeader of "dedupe" names no header. Name it, or remove {id}.',
      ),
    )
  if (timestampHeader !== undefined && !signedPayload.includes('{timestamp}'))
    findings.push(
      say(
        'timestampHeader',
        'The signed payload does not contain {timestamp}, so anyone could change the time. Add {timestamp}, or remove timestampHeader.',
      ),
    )
  return findings
}

export const webhookEndpointRules: readonly WebhookRule[] = [
  pathIsFree,
  runAsIsLive,
  templateFits,
  placesFit,
  secretFits,
  oneTarget,
  targetFits,
  recordCanBeWritten,
  valuesFit,
  membersExist(webhookReferences),
]
