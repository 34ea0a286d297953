// Rules for the parameters of a scheme: what a credential can send, and what a scheme sets itself.
import type { Finding } from '../../errors/finding.ts'
import type { Rule } from '../define.ts'
import { duplicateItemFindings } from '../duplicates.ts'
import { pointer } from '../pointer.ts'
import { errorFinding } from '../report.ts'
import { explainHeaderName } from './header-name.ts'
import { explainHeaderText } from './header-text.ts'
import { caChainSlot } from './secret-slots.ts'

type CredentialRule = Rule<'external_credential'>

/** The name and prefix of an API key. */
export const apiKey: CredentialRule = (credential) => {
  const { body } = credential
  if (body.scheme !== 'api_key' || body.in !== 'header') return []
  const report = (property: string, reason: string | null) =>
    reason === null
      ? []
      : [errorFinding(credential, pointer('body', property), 'credential.parameter', reason)]
  const fault = explainHeaderText(body.prefix ?? '')
  const prefix = fault === null ? null : `The prefix ${fault}. Remove it.`
  return [...report('name', explainHeaderName(body.name)), ...report('prefix', prefix)]
}

/** They are parts of a header, of which each character is signed. */
export const awsScope: CredentialRule = (credential) => {
  const { body } = credential
  if (body.scheme !== 'aws_sigv4') return []
  return (['region', 'service'] as const).flatMap((property) => {
    if (/^[A-Za-z0-9-]+$/.test(body[property])) return []
    const message = `"${body[property]}" is not the ${property} of a signature. Use letters, digits and hyphens, such as ${property === 'region' ? 'eu-central-1' : 'execute-api'}.`
    return [errorFinding(credential, pointer('body', property), 'credential.parameter', message)]
  })
}

export const customParameters: CredentialRule = (credential) => {
  const { body, key } = credential
  if (body.scheme !== 'custom') return []
  const { parameters } = body
  const findings = duplicateItemFindings(credential, ['body', 'parameters'], parameters, 'name')
  if (parameters.length === 0) {
    const message = `${key} has no header or parameter, so it cannot authenticate calls. Add one, such as the header X-Token.`
    findings.push(errorFinding(credential, '/body/parameters', 'credential.principals', message))
  }
  const headers = new Map<string, string>()
  parameters.forEach((parameter, at) => {
    const reason = explainParameter(parameter, headers)
    if (reason === null) return
    findings.push(
      errorFinding(credential, pointer('body', 'parameters', at, 'name'), 'credential.parameter', reason),
    )
  })
  return findings
}

/** @param headers earlier headers, name in lower case → name; this one is added */
function explainParameter(
  { in: place, name }: { in: 'header' | 'query'; name: string },
  headers: Map<string, string>,
): string | null {
  if (name === caChainSlot)
    return `"${caChainSlot}" is the slot of the certificates to trust. Write the name differently.`
  if (place === 'query') return null
  const lower = name.toLowerCase()
  const earlier = headers.get(lower) ?? name
  headers.set(lower, name)
  const invalid = explainHeaderName(name)
  if (invalid !== null) return invalid
  return earlier === name ? null : `${earlier} and ${name} are the same header. Remove one.`
}

const grantParameters = [
  ...['grant_type', 'scope', 'code', 'code_verifier', 'redirect_uri', 'refresh_token', 'assertion'],
  ...['client_secret', 'client_assertion', 'client_assertion_type', 'username', 'password'],
]
const clientParameters = ['client_id', 'audience']
const consentParameters = [
  ...['response_type', 'client_id', 'client_secret', 'redirect_uri', 'scope', 'state', 'audience'],
  ...['code_challenge', 'code_challenge_method', 'response_mode', 'request', 'request_uri'],
]
const registeredClaims = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']

/** Parameters and claims of OAuth that are set from other properties, or from the credential store. */
export const oauthParameters: CredentialRule = (credential) => {
  const { body } = credential
  if (!('tokenUrl' in body)) return []
  const reserved = (property: string, names: object | undefined, taken: readonly string[]): Finding[] =>
    Object.keys(names ?? {})
      .filter((name) => taken.includes(name))
      .map((name) => {
        const message = `${name} is set by the scheme. Remove it; secrets belong in the credential store.`
        return errorFinding(credential, pointer('body', property, name), 'credential.parameter', message)
      })
  // An assertion names its client and audience as claims, so there these are parameters like others.
  const taken = body.scheme === 'oauth2_jwt_bearer' ? [] : clientParameters
  const findings = reserved('tokenParameters', body.tokenParameters, [...grantParameters, ...taken])
  if (body.scheme === 'oauth2_jwt_bearer') findings.push(...reserved('claims', body.claims, registeredClaims))
  if (body.scheme === 'oauth2_authorization_code')
    findings.push(...reserved('authorizationParameters', body.authorizationParameters, consentParameters))
  return findings
}
