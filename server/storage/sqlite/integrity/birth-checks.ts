// Identities of placements: a change and a rename keep the identity, and an added component has a new or a restored
// one.
import { all, one, type Db } from '../db.ts'
import { identityOf, type Birth } from '../identities.ts'

interface Place {
  type: string
  key: string
  from_gen: number
}

export interface BirthChecks {
  /** `before`: the version that it replaces. Call it in the order of generations. */
  isConsistent(place: Place, before: Place | undefined): boolean
}

export function createBirthChecks(db: Db): BirthChecks {
  const rows = all<Place & Birth>(db, 'SELECT type, key, from_gen, birth_gen, birth_key FROM placement')
  const births = new Map(rows.map((row) => [nameOf(row), row]))
  const purged = one<{ n: number | null }>(
    db,
    'SELECT max(generation) AS n FROM generation WHERE purged = 1',
  )!.n
  const identity = (place: Place): string | undefined => {
    const birth = births.get(nameOf(place))
    return birth === undefined ? undefined : identityOf(place.type, place.key, birth)
  }
  const knownIds = new Set<string>()
  return {
    isConsistent: (place, before) => {
      const own = identity(place)
      // There is nothing to check for a purged version.
      if (own === undefined) return true
      const earlier = before === undefined ? undefined : identity(before)
      const isKnown = knownIds.has(own)
      knownIds.add(own)
      if (earlier !== undefined) return own === earlier
      if (
        own === identityOf(place.type, place.key, { birth_gen: place.from_gen, birth_key: null }) ||
        isKnown
      )
        return true
      // The version that had the identity was purged.
      return purged !== null && births.get(nameOf(place))!.birth_gen <= purged
    },
  }
}

function nameOf({ type, key, from_gen }: Place): string {
  return `${type}/${key}@${from_gen}`
}
