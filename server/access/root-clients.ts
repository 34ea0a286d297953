// Integration clients whose user holds platform.root: they bypass all access checks, so the audit has when that begins and
// ends, from any cause.
import type { ComponentView } from '#kernel/components/view.ts'
import { keyMovesOf, type KeyMove, type KeyMoveHandler } from '../ports/key-moves.ts'
import type { OrgReader, OrgTransactor } from '../ports/org-store.ts'
import { recordAudit, type Actor } from './actor.ts'
import { assignedSets } from './assigned-sets.ts'

export interface RootClient {
  client: string
  runAs: string
  /** Those of its user that have platform.root. */
  permissionSets: string[]
}

/** By key. */
export type RootClients = ReadonlyMap<string, RootClient>

export function rootClientsOf(reader: Pick<OrgReader, 'people'>, view: ComponentView): RootClients {
  const roots = new Set<string>()
  for (const { key, body } of view.list('permission_set'))
    if (body.systemPermissions.includes('platform.root')) roots.add(key)
  const found = new Map<string, RootClient>()
  if (roots.size === 0) return found
  for (const { key: client, body } of view.list('integration_client')) {
    const user = reader.people.user(body.runAs)
    if (user?.active !== true) continue
    const permissionSets = assignedSets(reader.people, user).filter((key) => roots.has(key))
    if (permissionSets.length > 0) found.set(client, { client, runAs: body.runAs, permissionSets })
  }
  return found
}

/** Runs a write of users or groups, and records which clients hold platform.root only after it, or only before. */
export function writeRecordingRootClients(
  transactor: Pick<OrgTransactor, 'audit' | 'generations' | 'people'>,
  { by, at }: { by: Actor; at: string },
  write: () => void,
): void {
  const view = transactor.generations.view(transactor.generations.active())
  const before = rootClientsOf(transactor, view)
  write()
  recordDifference(transactor, { by, at }, [before, rootClientsOf(transactor, view)])
}

/** The same for an apply: before it with the former generation, after it with the new one and what follows its keys. */
export const recordingRootClients =
  (handlers: readonly KeyMoveHandler[]): KeyMoveHandler =>
  (transactor, event) => {
    const { moves, generation, ...by } = event
    const viewOf = (of: number): RootClients =>
      of < 1 ? new Map() : rootClientsOf(transactor, transactor.generations.view(of))
    const before = renamed(viewOf(generation - 1), moves)
    for (const follow of handlers) follow(transactor, event)
    recordDifference(transactor, { by, at: by.at }, [before, viewOf(generation)])
  }

/** Under their new keys; without those that were removed. */
function renamed(clients: RootClients, moves: readonly KeyMove[]): RootClients {
  const keys = keyMovesOf(moves, 'integration_client')
  return new Map(
    [...clients.values()].flatMap((each) => {
      const client = keys.has(each.client) ? keys.get(each.client)! : each.client
      return client === null ? [] : [[client, { ...each, client }]]
    }),
  )
}

function recordDifference(
  transactor: Pick<OrgTransactor, 'audit'>,
  { by, at }: { by: Actor; at: string },
  [before, after]: readonly [RootClients, RootClients],
): void {
  const userOf = (clients: RootClients, client: string): string | undefined => clients.get(client)?.runAs
  for (const client of new Set([...before.keys(), ...after.keys()])) {
    // A client that then runs as another such user is a decision, too.
    if (userOf(before, client) === userOf(after, client)) continue
    recordAudit(transactor, by, at, {
      component: `client/${client}`,
      kind: after.has(client) ? 'client.root_gained' : 'client.root_lost',
      before: factsOf(before.get(client)),
      after: factsOf(after.get(client)),
    })
  }
}

function factsOf(root: RootClient | undefined): { runAs: string; permissionSets: string[] } | null {
  return root === undefined ? null : { runAs: root.runAs, permissionSets: root.permissionSets }
}
