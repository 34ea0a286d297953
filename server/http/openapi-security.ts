// The security schemes of the OpenAPI document.

type Json = Record<string, unknown>

/** Cookie names of one server. */
export interface CookieNames {
  /** Name of the cookie of the studio's session; null if no studio is served. */
  session: string | null
  /** Name of the cookie of a session that began with a password. */
  person: string
}

/** Returns the security schemes. */
export function securitySchemes({ session, person }: CookieNames): Record<string, Json> {
  const cookie = (name: string, description: string): Json => ({
    type: 'apiKey',
    in: 'cookie',
    name,
    description: `${description} Requests that change something must also have the Origin header of this server.`,
  })
  return {
    bearer: { type: 'http', scheme: 'bearer', description: 'A token of a client or of a person.' },
    apiKey: {
      ...{ type: 'apiKey', in: 'header', name: 'X-API-Key' },
      description: 'The key of a client whose authScheme is api_key.',
    },
    ...(session === null
      ? {}
      : { session: cookie(session, 'The session of the studio, opened with the one-time link.') }),
    person: cookie(person, 'The session of a person who signed in with a password.'),
  }
}
