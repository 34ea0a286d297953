// The messages between the desktop process and the server process.
import { z } from 'zod'
import type { CustodyRequest, CustodyReply } from '../server/ports/secret-custody.ts'

export type { CustodyRequest, CustodyReply }
export type CustodyAnswer = Extract<CustodyReply, { answer: unknown }>['answer']

export interface ServerStart {
  kind: 'start'
  /** Folder of the org. */
  org: string
  /** Makes the sample org if the folder has none. */
  sample: boolean
  /** Root of the installed application, which contains `resources/` and `out/renderer/`. */
  root: string
  /** The port to listen on if it is free, so that the studio keeps its origin; null for any. */
  port: number | null
  /** 32 bytes in base64 that seal stored credentials; null if no keychain keeps it. */
  vaultKey: string | null
}

export type ToServer = ServerStart | { kind: 'stop' } | CustodyReply

const id = z.int().nonnegative()
const name = z.string().min(1).max(500)

const custodyAsks = [
  z.strictObject({ kind: z.literal('custody/status'), id }),
  z.strictObject({ kind: z.literal('custody/put'), id, name, secret: z.string().min(1).max(20_000) }),
  z.strictObject({ kind: z.literal('custody/get'), id, name }),
  z.strictObject({ kind: z.literal('custody/delete'), id, name }),
] as const satisfies readonly z.ZodType<CustodyRequest>[]

const fromServer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready'), listening: z.string(), open: z.string() }),
  z.strictObject({ kind: z.literal('failed'), reason: z.string() }),
  ...custodyAsks,
])

export type FromServer = z.output<typeof fromServer>

/** Parses a message of the server process; null for anything else. */
export function readServerMessage(message: unknown): FromServer | null {
  return fromServer.safeParse(message).data ?? null
}
