// The options of a TLS connection in the words of the transport.
import type { TlsIdentity } from '../ports/callout-transport.ts'
import type { TlsOptions } from './schemes/index.ts'

export const tlsIdentity = ({ cert, ...rest }: TlsOptions): TlsIdentity => ({
  ...rest,
  ...(cert !== undefined && { certificate: cert }),
})
