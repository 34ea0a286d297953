// How somebody may say who they are, as the OpenAPI document declares it (completions 5, 6).

type Json = Record<string, unknown>

/** The names of the cookies of one server. */
export interface CookieNames {
  /** Of the studio's session; null where no studio is served. */
  session: string | null
  /** Of whoever signed in with a password. */
  person: string
}

/** How somebody may say who they are. */
export function identities({ session, person }: CookieNames): Record<string, Json> {
  const cookie = (name: string, description: string): Json => ({
    type: 'apiKey',
    in: 'cookie',
    name,
    description: `${description} Whatever changes something then comes from this server's own Origin.`,
  })
  return {
    bearer: { type: 'http', scheme: 'bearer', description: 'A token of a client or of a person.' },
    ...(session === null
      ? {}
      : { session: cookie(session, 'The session of the studio, which its one-time link hands over.') }),
    person: cookie(person, 'The session of a person who signed in with a password.'),
  }
}
