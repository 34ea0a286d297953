// Loads undici, and keeps it from printing the addresses of calls if NODE_DEBUG names it: a query can contain a secret.
import { subscribe } from 'node:diagnostics_channel'
import type * as Undici from 'undici'

/** undici prints nothing if another part of the process subscribes to these before it is loaded. */
const channels = ['undici:client:connectError', 'undici:request:error']

let loading: Promise<typeof Undici> | undefined

/** On the first call, because most commands send nothing. */
export function loadUndici(): Promise<typeof Undici> {
  if (loading === undefined) for (const channel of channels) subscribe(channel, () => undefined)
  loading ??= import('undici')
  return loading
}
