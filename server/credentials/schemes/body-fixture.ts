// For tests: bodies of external credentials from JSON, with their defaults.
import {
  externalCredentialBody,
  type ExternalCredentialBody,
} from '#kernel/components/external-credential/body.ts'

export type BodyOf<S extends ExternalCredentialBody['scheme']> = Extract<
  ExternalCredentialBody,
  { scheme: S }
>

/** The body of a credential with one principal, `service`. */
export function bodyOf<S extends ExternalCredentialBody['scheme']>(
  scheme: S,
  more: Record<string, unknown> = {},
): BodyOf<S> {
  return externalCredentialBody.parse({ scheme, principals: [{ key: 'service' }], ...more }) as BodyOf<S>
}
