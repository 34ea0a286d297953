// The slots of a scheme in the credential store; a component never contains their values.
import type { ExternalCredentialBody } from './body.ts'

export interface CredentialSlot {
  name: string
  /** Calls fail until a required slot has a value. */
  required: boolean
  /** Whether an empty text is a value, as some systems want it for the password. */
  canBeEmpty: boolean
  /** Whether each user has a value; otherwise the principal has one for all. */
  perUser: boolean
}

/** Certificates of authorities in PEM, which replace those of the system. */
export const caChainSlot = 'caChain'

type Principal = Pick<ExternalCredentialBody['principals'][number], 'mode'>

/** Returns the slots of one principal, required ones first. */
export function credentialSlots(body: ExternalCredentialBody, { mode }: Principal): CredentialSlot[] {
  // Users of an authorisation code give consent; the client is the same for all of them.
  const perUser = mode === 'per_user' && body.scheme !== 'oauth2_authorization_code'
  const required = secretNames(body).map((name) => {
    const canBeEmpty = body.scheme === 'basic' && name === 'password'
    return { name, required: true, canBeEmpty, perUser }
  })
  const optional = optionalNames(body).map((name) => ({ name, required: false, canBeEmpty: false, perUser }))
  // The chain belongs to the server that is called, not to a user.
  return [...required, ...optional, { name: caChainSlot, required: false, canBeEmpty: false, perUser: false }]
}

/**
 * Whether a slot only names who calls, or contains certificates. Its value can occur in any response: masking it there
 * would change what the target returned.
 */
export const isPublicSlot = ({ scheme }: { scheme: string }, name: string): boolean =>
  scheme !== 'custom' && publicSlots.has(name)

const publicSlots: ReadonlySet<string> = new Set([
  ...['clientId', 'username', 'accessKeyId', 'keyId', 'certificate', caChainSlot],
])

/** Returns the names of the required slots. */
export function secretNames(body: ExternalCredentialBody): string[] {
  switch (body.scheme) {
    case 'oauth2_client_credentials':
    case 'oauth2_authorization_code':
      return ['clientId', ...clientSlots[body.clientAuthentication].required]
    case 'oauth2_jwt_bearer':
      return ['clientId', 'privateKey']
    case 'mtls':
      return ['certificate', 'privateKey']
    case 'aws_sigv4':
      return ['accessKeyId', 'secretAccessKey']
    case 'api_key':
      return ['key']
    case 'basic':
      return ['username', 'password']
    case 'custom':
      return body.parameters.map((parameter) => parameter.name)
  }
}

function optionalNames(body: ExternalCredentialBody): readonly string[] {
  switch (body.scheme) {
    case 'oauth2_client_credentials':
    case 'oauth2_authorization_code':
      return clientSlots[body.clientAuthentication].optional
    case 'oauth2_jwt_bearer':
      return ['keyId', 'passphrase']
    case 'mtls':
      return ['passphrase']
    case 'aws_sigv4':
      return ['sessionToken']
    case 'api_key':
    case 'basic':
    case 'custom':
      return []
  }
}

const clientSlots = {
  basic: { required: ['clientSecret'], optional: [] },
  body: { required: ['clientSecret'], optional: [] },
  private_key_jwt: { required: ['privateKey'], optional: ['keyId', 'passphrase'] },
  none: { required: [], optional: [] },
} as const
