// The client certificate of mtls, and the authorities that a credential trusts.
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { caChainSlot } from '#kernel/components/external-credential/secret-slots.ts'
import type { TlsOptions } from './outgoing-request.ts'
import type { SlotValues } from './slot-values.ts'

/** The options of every scheme: the authorities to trust, if the credential has its own. */
export function trustOptions(slots: SlotValues): TlsOptions | undefined {
  const chain = slots.optional(caChainSlot)
  if (chain === undefined) return undefined
  certificatesOf(caChainSlot, chain, slots)
  return { ca: chain }
}

/** The options of mtls. */
export function clientCertificateOptions(slots: SlotValues): TlsOptions {
  const key = privateKeyOf(slots)
  const cert = slots.required('certificate')
  const [leaf] = certificatesOf('certificate', cert, slots)
  if (!leaf!.checkPrivateKey(key)) throw slots.invalid('privateKey', 'does not belong to the certificate')
  const passphrase = slots.optional('passphrase')
  return { ...trustOptions(slots), cert, key: slots.required('privateKey'), passphrase }
}

/** The key in the slots `privateKey` and `passphrase`. The message of the library is left out. */
export function privateKeyOf(slots: SlotValues): KeyObject {
  const key = slots.required('privateKey')
  const passphrase = slots.optional('passphrase')
  try {
    return createPrivateKey({ key, passphrase })
  } catch {
    if (!key.includes('PRIVATE KEY-----')) throw slots.invalid('privateKey', 'is not a private key in PEM')
    if (!key.includes('ENCRYPTED')) throw slots.invalid('privateKey', 'is a private key that cannot be read')
    if (passphrase === undefined) throw slots.invalid('privateKey', 'is encrypted, and passphrase is absent')
    throw slots.invalid('passphrase', 'does not decrypt the private key')
  }
}

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

function certificatesOf(slot: string, pem: string, slots: SlotValues): X509Certificate[] {
  const blocks = pem.match(block) ?? []
  if (blocks.length === 0) throw slots.invalid(slot, 'contains no certificate in PEM')
  return blocks.map((text, at) => {
    try {
      return new X509Certificate(text)
    } catch {
      throw slots.invalid(slot, `contains a certificate that cannot be read, number ${at + 1}`)
    }
  })
}
