// What the doors of the matrix are asked about: a world, its rows in an org, and its users.
import type { Ask, TestServer } from '../support/running-server.ts'
import type { World } from './record-worlds.ts'

export type Check = (what: string, actual: unknown, expected: unknown) => void

export interface Doors {
  test: TestServer
  world: World
  ids: ReadonlyMap<World['rows'][number], string>
  /** By the key of a user. */
  asks: Readonly<Record<string, Ask>>
  check: Check
}
