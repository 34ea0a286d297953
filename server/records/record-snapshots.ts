// The generations of an org, with the identities of its objects and fields.
import { componentId, splitId } from '#kernel/components/component.ts'
import { objectOfChanges, ownChannelId, type ChannelId } from '#kernel/events/index.ts'
import type { FieldId, ObjectId, RecordNames, RecordSnapshot } from '#kernel/records/index.ts'
import type { EvaluationSnapshot } from '#kernel/config/index.ts'
import { includesGeneration, type ComponentIdentity } from '../ports/identities.ts'
import type { OrgSnapshots } from '../ports/org-snapshots.ts'
import type { OrgReader, OrgStore } from '../ports/org-store.ts'
import type { RecordSnapshots } from './deps.ts'

type Store = Pick<OrgStore, 'read'>

const known = new WeakMap<EvaluationSnapshot, RecordSnapshot>()

export function createRecordSnapshots(store: Store, snapshots: OrgSnapshots): RecordSnapshots {
  const withNames = (snapshot: EvaluationSnapshot): RecordSnapshot => {
    let named = known.get(snapshot)
    if (named === undefined) {
      named = { ...snapshot, names: namesOf(store, snapshot.generation) }
      known.set(snapshot, named)
    }
    return named
  }
  return {
    active: () => withNames(snapshots.active()),
    at: (generation) => withNames(snapshots.at(generation)),
    requireKept: (generation) => void store.read(({ generations }) => generations.view(generation)),
  }
}

/** Names never change within a generation, so each is read once. */
function namesOf(store: Store, generation: number): RecordNames {
  const read = <T>(work: (identities: OrgReader['identities']) => T): T =>
    store.read(({ identities }) => work(identities))
  const objectId = cached((object: string) =>
    read((identities) => identities.at(generation, componentId('object', object)) as ObjectId | undefined),
  )
  return {
    objectId,
    channelId: cached((channel: string): ChannelId | undefined => {
      const object = objectOfChanges(channel)
      if (object === undefined)
        return read(({ at }) => at(generation, componentId('event_channel', channel))) as
          ChannelId | undefined
      const id = objectId(object)
      return id === undefined ? undefined : ownChannelId(id)
    }),
    objectKey: cached((id: ObjectId) =>
      read((identities) => keyOf(identities, id as unknown as ComponentIdentity, generation)),
    ),
    fieldIds: cached((object: string): ReadonlyMap<string, FieldId> =>
      read((identities) => identities.fields(generation, object)),
    ),
    appKey: (app, earlier) =>
      read((identities) => {
        const identity = identities.at(earlier, componentId('app', app))
        // Nothing is known of a purged generation.
        return identity === undefined ? app : keyOf(identities, identity, generation)
      }),
  }
}

function keyOf(
  identities: OrgReader['identities'],
  identity: ComponentIdentity,
  generation: number,
): string | undefined {
  const period = identities.keyPeriods(identity).find((each) => includesGeneration(each, generation))
  return period === undefined ? undefined : splitId(period.id).key
}

function cached<K, V>(find: (key: K) => V): (key: K) => V {
  const found = new Map<K, V>()
  return (key) => {
    if (!found.has(key)) found.set(key, find(key))
    return found.get(key)!
  }
}
