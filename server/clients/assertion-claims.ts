// The claims of an assertion, after its signature is verified (RFC 7523, section 3).

/** Why an assertion is refused. Before its signature is verified, one reason for every cause. */
export class AssertionError extends Error {}

export interface AssertionTerms {
  client: string
  /** What can be its `aud`: one of these, exactly. */
  audiences: readonly string[]
  /** Seconds since 1970. */
  now: number
}

export interface AssertionClaims {
  jti: string
  /** Until when the assertion could be sent again. */
  lastMoment: Date
}

/** How long an assertion can be valid, in seconds: its id is kept as long. */
const maxLifetime = 600
/** How far clocks can differ, in seconds. */
const skew = 30
const maxIdLength = 256
/** Of a Date, in seconds since 1970. */
const latest = 8_640_000_000_000

/** @throws AssertionError */
export function readClaims(
  payload: Readonly<Record<string, unknown>>,
  { client, audiences, now }: AssertionTerms,
): AssertionClaims {
  for (const name of ['iss', 'sub']) if (payload[name] !== client) throw notValid(name)
  if (!isAudience(payload['aud'], audiences))
    throw new AssertionError(
      `The "aud" of the assertion must be exactly ${audiences.map((each) => `"${each}"`).join(' or ')}, alone.`,
    )
  const exp = timeOf(payload, 'exp')
  const [nbf, iat] = [timeOf(payload, 'nbf'), timeOf(payload, 'iat')]
  if (exp === undefined) throw notValid('exp')
  if (exp <= now - skew) throw new AssertionError('The assertion has expired.')
  for (const [name, time] of Object.entries({ nbf, iat }))
    if (time !== undefined && time > now + skew)
      throw new AssertionError(`The "${name}" of the assertion is in the future.`)
  if (exp - now > maxLifetime + skew || (iat !== undefined && exp - iat > maxLifetime))
    throw new AssertionError(`An assertion can be valid for at most ${maxLifetime / 60} minutes.`)
  const jti = payload['jti']
  if (jti === undefined) throw notValid('jti')
  if (typeof jti !== 'string' || jti === '' || jti.length > maxIdLength)
    throw new AssertionError(`The "jti" of the assertion must be a text of 1 to ${maxIdLength} characters.`)
  return { jti, lastMoment: new Date((exp + skew) * 1000) }
}

/** An assertion for several audiences could be sent by one of them to the others. */
function isAudience(aud: unknown, audiences: readonly string[]): boolean {
  const only: unknown = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud
  return typeof only === 'string' && audiences.includes(only)
}

function timeOf(payload: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const time = payload[name]
  if (time === undefined) return undefined
  if (typeof time !== 'number' || !Number.isFinite(time) || time < 0 || time > latest) throw notValid(name)
  return time
}

const notValid = (claim: string): AssertionError =>
  new AssertionError(`The "${claim}" of the assertion is missing or not valid.`)
