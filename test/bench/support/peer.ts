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

export const peersFolder = new URL('../peers/', import.meta.url)

/** The note of a part that measures nothing without them. */
export const notInstalled =
  'Not measured: `npm run bench:peers` installs the peers and measures against them.'

/** Whether a package of the peers is installed. */
export const isInstalled = (name: string): boolean => existsSync(new URL(`node_modules/${name}`, peersFolder))

/** The flag SDKs; none if they are not installed. */
export async function peers(): Promise<Peer[]> {
  if (!isInstalled('@openfeature/flagd-core')) return []
  const names = ['flagd', 'growthbook', 'launchdarkly', 'unleash']
  return Promise.all(
    names.map(async (name) => (await import(new URL(`${name}.mjs`, peersFolder).href)) as Peer),
  )
}

/** The installed version of a package, `4.0.1`. */
export function versionOf(name: string): string {
  const manifest = readFileSync(new URL(`node_modules/${name}/package.json`, peersFolder), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

/** `@openfeature/flagd-core 4.0.1`. */
export const withVersion = ({ name }: Peer): string => `${name} ${versionOf(name)}`
