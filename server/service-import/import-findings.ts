// Findings of imports: what is wrong with the description of a service, and how to fix it.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { ImportNeed } from './import-need.ts'

type Service = ImportNeed['service']
type NamedCredential = ComponentOf<'named_credential'>

function finding(
  { key }: Service,
  severity: Finding['severity'],
  code: string,
  message: string,
  path = '/body/spec/source',
): Finding {
  return { severity, code, component: `external_service/${key}`, path, message, related: [] }
}

/** A fault of the fetch or of the description. */
export function importFinding(service: Service, error: AlmanacError, credential?: NamedCredential): Finding {
  const isSecret = error.code === 'integration.secret_absent' || error.code === 'integration.consent_required'
  if (isSecret && credential !== undefined) {
    const { externalCredential } = credential.body
    return {
      ...finding(
        service,
        'error',
        'deploy.secret_absent',
        `The description of ${service.key} is fetched with the credential ${externalCredential}, which cannot be used: ${error.message} Set the secret, or provide the description itself.`,
      ),
      related: [{ component: `external_credential/${externalCredential}`, path: '' }],
      facts: { credential: externalCredential },
    }
  }
  const message = `The description of ${service.key} was not imported. ${error.message}`
  return {
    ...finding(service, 'error', 'service.import', message),
    facts: { cause: error.code },
  }
}

/** The pinned hash is not that of the description. */
export function hashFinding(service: Service, found: string, isFetched: boolean): Finding {
  const way = isFetched
    ? 'The address has a different description now. To accept it, set the hash to this value'
    : 'To accept this description, set the hash to this value'
  const message = `The description of ${service.key} has the hash ${found}, but spec.hash is ${service.hash}. ${way}, or remove spec.hash.`
  return { ...finding(service, 'error', 'service.hash', message, '/body/spec/hash'), facts: { found } }
}

export function tooManyFinding(service: Service, most: number): Finding {
  const message = `The description of ${service.key} was not imported, because one change list imports at most ${most}. Apply it with fewer others.`
  return finding(service, 'error', 'service.import', message)
}

const mostWarnings = 20

export function warningFindings(service: Service, warnings: readonly string[]): Finding[] {
  const shown = warnings
    .slice(0, mostWarnings)
    .map((message) => finding(service, 'info', 'service.untyped', message))
  const left = warnings.length - shown.length
  if (left <= 0) return shown
  return [
    ...shown,
    finding(service, 'info', 'service.untyped', `${left} more parts of the description have no type.`),
  ]
}
