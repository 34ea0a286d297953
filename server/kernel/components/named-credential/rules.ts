// Rules for named credentials.
import { didYouMean } from '../../errors/suggest.ts'
import { explainAddress } from '../address.ts'
import { idOf } from '../component.ts'
import type { Rule } from '../define.ts'
import { errorFinding, joinWithOr, warningFinding } from '../report.ts'
import { maxSynchronousTimeoutMs } from './body.ts'

type CredentialRule = Rule<'named_credential'>

const plainAddress: CredentialRule = (credential) => {
  const reason = explainAddress(credential.body.url)
  return reason === null ? [] : [errorFinding(credential, '/body/url', 'credential.url', reason)]
}

const principalExists: CredentialRule = (credential, { view }) => {
  const { principal, externalCredential } = credential.body
  const external = view.get('external_credential', externalCredential)
  if (external === undefined) return []
  const known = external.body.principals.map(({ key }) => key)
  if (known.includes(principal)) return []
  const hint = didYouMean(principal, known) || (known.length === 0 ? '' : ` It has ${joinWithOr(known)}.`)
  const message = `${externalCredential} has no principal "${principal}".${hint}`
  return [
    errorFinding(credential, '/body/principal', 'credential.principal', message, {
      related: [{ component: idOf(external), path: '/body/principals' }],
    }),
  ]
}

const encryptedForCertificate: CredentialRule = (credential, { view }) => {
  const { externalCredential, url } = credential.body
  const external = view.get('external_credential', externalCredential)
  if (external?.body.scheme !== 'mtls' || !/^http:/i.test(url)) return []
  const message = `${externalCredential} authenticates with a client certificate, which plain http does not send. Change the URL to https.`
  return [
    errorFinding(credential, '/body/url', 'credential.url', message, {
      related: [{ component: idOf(external), path: '/body/scheme' }],
    }),
  ]
}

const longTimeout: CredentialRule = (credential) => {
  const { timeoutMs } = credential.body
  if (timeoutMs <= maxSynchronousTimeoutMs) return []
  const message = `Only a post-commit worker waits ${timeoutMs} ms; a synchronous call times out after ${maxSynchronousTimeoutMs} ms.`
  return [warningFinding(credential, '/body/timeoutMs', 'credential.timeout', message)]
}

export const namedCredentialRules: readonly CredentialRule[] = [
  plainAddress,
  principalExists,
  encryptedForCertificate,
  longTimeout,
]
