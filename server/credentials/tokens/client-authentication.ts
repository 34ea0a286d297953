// How the client proves its identity to a token endpoint (RFC 6749, section 2.3, and RFC 7523, section 2.2).
import type { SlotValues } from '../schemes/index.ts'
import { signAssertion } from './signed-assertion.ts'
import type { ClientBody, SigningDeps } from './token-call.ts'

export interface ClientProof {
  headers: Record<string, string>
  parameters: Record<string, string>
}

export async function clientProof(
  body: ClientBody,
  slots: SlotValues,
  deps: SigningDeps,
): Promise<ClientProof> {
  const clientId = slots.required('clientId')
  switch (body.clientAuthentication) {
    case 'none':
      return { headers: {}, parameters: { client_id: clientId } }
    case 'body':
      return {
        headers: {},
        parameters: { client_id: clientId, client_secret: slots.required('clientSecret') },
      }
    case 'basic': {
      const pair = `${formEncoded(clientId)}:${formEncoded(slots.required('clientSecret'))}`
      return { headers: { authorization: `Basic ${btoa(pair)}` }, parameters: {} }
    }
    case 'private_key_jwt': {
      const claims = { iss: clientId, sub: clientId, aud: body.issuer ?? body.tokenUrl }
      return {
        headers: {},
        parameters: {
          client_id: clientId,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: await signAssertion(claims, body, slots, deps),
        },
      }
    }
  }
}

/** As the RFC asks before the Base64: the id and the secret are encoded like values of a form. */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}
