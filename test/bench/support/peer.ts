// The peers' adapters: plain modules next to their packages, loaded only when needed.
import { existsSync, readFileSync } from 'node:fs'
import type { Question, TariffKey } from './tariff.ts'

export interface OpenPeer {
  run(out: string[]): void | Promise<void>
  close(): Promise<void>
}

export interface Peer {
  name: string
  open(keys: readonly TariffKey[], questions: readonly Question[]): Promise<OpenPeer>
  /** The text of its own definitions, if preparing is measured for the peer too. */
  definitions?(keys: readonly TariffKey[]): string
  prepare?(text: string): void
}

const here = new URL('../peers/', import.meta.url)

/** @throws Error with the command that installs the peers */
export async function peers(): Promise<Peer[]> {
  if (!existsSync(new URL('node_modules', here)))
    throw new Error('The peers are not installed. Run "npm run bench", which installs them.')
  const names = ['flagd', 'growthbook', 'launchdarkly', 'unleash']
  return Promise.all(names.map(async (name) => (await import(new URL(`${name}.mjs`, here).href)) as Peer))
}

/** `@openfeature/flagd-core 4.0.1`. */
export function withVersion({ name }: Peer): string {
  const manifest = readFileSync(new URL(`node_modules/${name}/package.json`, here), 'utf8')
  return `${name} ${(JSON.parse(manifest) as { version: string }).version}`
}
