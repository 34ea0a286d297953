// Rules for external credentials.
import type { Finding } from '../../errors/finding.ts'
import { explainAddress } from '../address.ts'
import type { Rule } from '../define.ts'
import { duplicateItemFindings } from '../duplicates.ts'
import { pointer } from '../pointer.ts'
import { errorFinding, warningFinding } from '../report.ts'
import { apiKey, awsScope, customParameters, oauthParameters } from './parameter-rules.ts'

type CredentialRule = Rule<'external_credential'>

const principals: CredentialRule = (credential) => {
  const { scheme, principals } = credential.body
  const findings: Finding[] = duplicateItemFindings(credential, ['body', 'principals'], principals, 'key')
  if (principals.length === 0) {
    const message = `${credential.key} has no principal, so it cannot be used for calls. Add a principal with a key, such as service, and the permission sets that can use it.`
    findings.push(errorFinding(credential, '/body/principals', 'credential.principals', message))
  }
  principals.forEach((principal, at) => {
    const path = pointer('body', 'principals', at, 'mode')
    if (principal.mode === 'per_user' && scheme === 'oauth2_client_credentials') {
      const message = `oauth2_client_credentials authenticates the client, not a person, so ${principal.key} cannot be per_user. Change it to named, or use oauth2_authorization_code.`
      findings.push(errorFinding(credential, path, 'credential.principals', message))
    }
    if (principal.mode === 'named' && scheme === 'oauth2_authorization_code') {
      const message = `oauth2_authorization_code asks each person for consent, so ${principal.key} must be per_user. Change its mode, or use oauth2_client_credentials.`
      findings.push(errorFinding(credential, path, 'credential.principals', message))
    }
  })
  return findings
}

const urls = { tokenUrl: 'token URL', authorizationUrl: 'consent URL' } as const

const addresses: CredentialRule = (credential) => {
  const body: Record<string, unknown> = credential.body
  return Object.entries(urls).flatMap(([property, name]) => {
    const text = body[property]
    if (typeof text !== 'string') return []
    const place = pointer('body', property)
    const reason = explainAddress(text)
    if (reason !== null) return [errorFinding(credential, place, 'credential.url', reason)]
    if (!unencrypted.test(text)) return []
    const message = `The ${name} of ${credential.key} is not https, so secrets and tokens are sent unencrypted. Use https, except on this machine.`
    return [warningFinding(credential, place, 'credential.unencrypted', message)]
  })
}

/** Plain http to a different machine. */
const unencrypted = /^http:\/\/(?!localhost[:/]|127\.\d+\.\d+\.\d+[:/]|\[::1\][:/])/i

export const externalCredentialRules: readonly CredentialRule[] = [
  principals,
  addresses,
  apiKey,
  awsScope,
  customParameters,
  oauthParameters,
]
