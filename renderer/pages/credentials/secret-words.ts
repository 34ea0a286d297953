// The secrets of each scheme as the forms of the studio show them: a label, and a hint if the label alone is not enough.
import { isPublicSlot } from '#kernel/components/external-credential/secret-slots.ts'

export interface SecretWords {
  label: string
  hint?: string
  /** Whether it is PEM text, which has several lines. */
  hasLines?: true
  /** Whether it only names who calls, so that the user can see what they type. */
  isVisible: boolean
}

const pem = 'with the lines that begin with -----BEGIN and -----END'
const words: Readonly<Record<string, Omit<SecretWords, 'isVisible'>>> = {
  clientId: { label: 'Client ID', hint: 'The ID under which this org is registered with the provider.' },
  clientSecret: { label: 'Client secret' },
  privateKey: { label: 'Private key', hint: `PEM text, ${pem}.`, hasLines: true },
  keyId: { label: 'Key ID', hint: 'Sent as kid, if the provider has several public keys to choose from.' },
  passphrase: { label: 'Passphrase', hint: 'Only if the private key is encrypted.' },
  certificate: {
    label: 'Client certificate',
    hint: `PEM text, ${pem}. Intermediate certificates come after it.`,
    hasLines: true,
  },
  accessKeyId: { label: 'Access key ID', hint: 'Begins with AKIA; with ASIA if it is temporary.' },
  secretAccessKey: { label: 'Secret access key' },
  sessionToken: { label: 'Session token', hint: 'Only for a temporary access key.' },
  key: { label: 'API key', hint: 'Or the signing secret, for a webhook endpoint.' },
  username: { label: 'User name' },
  password: { label: 'Password' },
  caChain: {
    label: 'Certificates to trust',
    hint: `PEM text, ${pem}. If omitted, those of the system.`,
    hasLines: true,
  },
}

/** The names of a custom scheme are those of its headers and parameters, which its author chose. */
export function secretWords(scheme: string, name: string): SecretWords {
  const known = scheme === 'custom' && name !== 'caChain' ? undefined : words[name]
  return { ...(known ?? { label: name }), isVisible: isPublicSlot({ scheme }, name) }
}

/** A message of the server with the labels of the form in place of the quoted names. */
export const inSecretWords = (scheme: string, message: string): string =>
  Object.keys(words).reduce(
    (text, name) => text.replaceAll(`"${name}"`, `“${secretWords(scheme, name).label}”`),
    message,
  )
