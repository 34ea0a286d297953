// Connections to targets, kept for the next call: a pool for each origin, TLS identity and limit of time.
import { createHash } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Pool } from 'undici'
import { CalloutFault, type TlsIdentity, type TransportRequest } from '../ports/callout-transport.ts'
import type { Lookup } from './guarded-lookup.ts'
import { loadUndici } from './load-undici.ts'

export interface PoolLimits {
  /** A connection without a call is closed after this time, or earlier if the target requires it. */
  idleConnectionMs: number
  /** A connection is not used for new calls after this time, so that a changed DNS answer has effect. */
  connectionAgeMs: number
  /** A pool without a call is closed after this time. */
  idlePoolMs: number
  /** Above this number, pools without a call are closed, the one that waits longest first. */
  pools: number
}

export const poolLimits: PoolLimits = {
  idleConnectionMs: 4000,
  connectionAgeMs: 300_000,
  idlePoolMs: 30_000,
  pools: 200,
}

interface Entry {
  pool: Pool
  running: number
  usedAt: number
}

export interface PoolUse {
  pool: Pool
  /** Ends the use. */
  release(): void
}

export class ConnectionPools {
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>()
  readonly #lookup: Lookup
  readonly #limits: PoolLimits
  /** The entry at the end. */
  #last: Entry | undefined
  #sweep: NodeJS.Timeout | undefined

  constructor(lookup: Lookup, limits: PoolLimits) {
    this.#lookup = lookup
    this.#limits = limits
  }

  get size(): number {
    return this.#entries.size
  }

  use(request: TransportRequest, origin: string): PoolUse | Promise<PoolUse> {
    const connectMs = 2 ** Math.ceil(Math.log2(Math.max(request.timeoutMs, 1000)))
    const key = `${origin} ${connectMs} ${identityDigest(request.tls)}`
    const entry = this.#entries.get(key)
    if (entry !== undefined) return this.#useOf(key, entry)
    return this.#open(key, origin, connectMs, request.tls).then((opened) => this.#useOf(key, opened))
  }

  #useOf(key: string, entry: Entry): PoolUse {
    entry.running += 1
    if (this.#last !== entry) {
      this.#entries.delete(key)
      this.#entries.set(key, entry)
      this.#last = entry
    }
    return { pool: entry.pool, release: () => this.#release(entry) }
  }

  #release(entry: Entry): void {
    entry.running -= 1
    entry.usedAt = performance.now()
    if (this.#entries.size > this.#limits.pools) this.#closeIdle(0)
    this.#sweep ??= setInterval(
      () => this.#closeIdle(this.#limits.idlePoolMs),
      this.#limits.idlePoolMs,
    ).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep)
    const pools = [...this.#entries.values()].map(({ pool }) => pool)
    this.#entries.clear()
    await Promise.all(pools.map((pool) => pool.destroy()))
  }

  async #open(key: string, origin: string, connectMs: number, tls: TlsIdentity | undefined): Promise<Entry> {
    const secureContext = tls === undefined ? undefined : contextOf(tls)
    const { Pool, buildConnector } = await loadUndici()
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const connect = buildConnector({
      timeout: connectMs,
      lookup: this.#lookup,
      allowH2: false,
      // A resumed session is not verified again, so a target could have a different certificate by then.
      maxCachedSessions: 0,
      rejectUnauthorized: true,
      ...(secureContext === undefined ? {} : { secureContext }),
    })
    const pool = new Pool(origin, {
      connect,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: this.#limits.idleConnectionMs,
      keepAliveMaxTimeout: this.#limits.idleConnectionMs,
      clientTtl: this.#limits.connectionAgeMs,
    })
    const entry = { pool, running: 0, usedAt: performance.now() }
    this.#entries.set(key, entry)
    this.#last = entry
    return entry
  }

  /** Closes pools that had no call for some time, and then as many as there are too many. */
  #closeIdle(idleMs: number): void {
    const now = performance.now()
    let excess = this.#entries.size - this.#limits.pools
    for (const [key, { pool, running, usedAt }] of this.#entries) {
      if (running > 0) continue
      const isIdle = idleMs > 0 && now - usedAt >= idleMs
      if (!isIdle && excess <= 0) continue
      excess -= 1
      this.#entries.delete(key)
      void pool.close()
    }
    if (this.#entries.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }
}

function identityDigest(tls: TlsIdentity | undefined): string {
  if (tls === undefined) return ''
  const { certificate = '', key = '', passphrase = '', ca = '' } = tls
  return createHash('sha256')
    .update(JSON.stringify([certificate, key, passphrase, ca]))
    .digest('base64')
}

/** Kept in place of the texts, so that a private key is not in the heap while its pool waits. */
function contextOf({ certificate, key, passphrase, ca }: TlsIdentity): SecureContext {
  try {
    return createSecureContext({ cert: certificate, key, passphrase, ca })
  } catch {
    throw new CalloutFault('tls', 'the client certificate, its key or its passphrase does not fit', false)
  }
}
