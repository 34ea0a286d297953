// A deploy that needs a secret fails if the secret is absent, and the finding names the credential
// (docs/reference/access.md).
import { afterOf, type Change } from '#kernel/change/index.ts'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { idOf } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { SecretState } from './deps.ts'

/** A credential can be applied without its secret; a service that uses the credential during the deploy cannot. */
export function absentSecretFindings(
  changes: readonly Change[],
  view: ComponentView,
  state: SecretState,
): Finding[] {
  return changes.flatMap((change) => {
    const after = afterOf(change)
    return after?.type === 'external_service' && fetchesAtDeploy(after) ? absentFor(after, view, state) : []
  })
}

/** Whether the description comes from a URL and was not fetched yet. */
function fetchesAtDeploy({ body }: ComponentOf<'external_service'>): boolean {
  return (
    typeof body.spec.source === 'string' && /^https?:/.test(body.spec.source) && body.spec.hash === undefined
  )
}

function absentFor(
  service: ComponentOf<'external_service'>,
  view: ComponentView,
  state: SecretState,
): Finding[] {
  const named = view.get('named_credential', service.body.namedCredential)
  const external =
    named === undefined ? undefined : view.get('external_credential', named.body.externalCredential)
  if (external === undefined || state(external.key) === 'populated') return []
  return [
    {
      severity: 'error',
      code: 'deploy.secret_absent',
      component: idOf(service),
      path: '/body/spec/source',
      message: `The description of ${service.key} is fetched with the credential ${external.key}, which has no secret in this org. Set the secret, or provide the description itself or its hash.`,
      related: [{ component: idOf(external), path: '' }],
      facts: { credential: external.key },
    },
  ]
}
