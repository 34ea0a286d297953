// Rules for webhook endpoints (docs/reference/component-types.md#webhook-endpoint).
import type { Finding } from '../../errors/finding.ts'
import type { ComponentOf } from '../body-types.ts'
import { idOf } from '../component.ts'
import type { Reference, Rule } from '../define.ts'
import { edge } from '../edges.ts'
import { membersExist } from '../members.ts'
import { pointer } from '../pointer.ts'
import { explainUser } from '../principals.ts'
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

/** The first path segments of the server's own surfaces (docs/reference/http.md). */
const reservedSegments = [
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
  if (reservedSegments.includes(path.split('/')[1] ?? ''))
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
  const targets = Object.keys(webhook.body.dispatch)
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
  for (const [field, source] of Object.entries(upsert?.values ?? {})) {
    if (!source.startsWith('/'))
      say(
        ['upsert', 'values', field],
        `"${source}" is not a pointer into the body. Write a pointer such as "/data/id".`,
      )
  }
  return findings
}

const templateFits: WebhookRule = (webhook) => {
  const { signedPayload, timestampHeader } = webhook.body.verification
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
  return findings
}

export const webhookEndpointRules: readonly WebhookRule[] = [
  pathIsFree,
  runAsIsLive,
  templateFits,
  oneTarget,
  targetFits,
  membersExist(webhookReferences),
]
