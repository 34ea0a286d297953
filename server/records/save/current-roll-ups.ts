// Roll-ups whose stored value is known to be what the active generation computes, although its binding names an earlier one: a
// value that stays the same keeps its binding, and would otherwise be computed from all its children by each save of one.
import { RecentCache } from '#kernel/memo/recent-cache.ts'
import type { RecordStore, RecordTransactor } from '../../ports/record-store.ts'

/** About 100,000 roll-ups. */
const maxChars = 6_000_000

/** Marks by `<field>/<parent>`: the generation, and the version of the parent. They end with what they were made from. */
export class CurrentRollUps {
  readonly #known: RecentCache<string> | null
  readonly #pending = new Map<string, string>()
  /** What was pending before each change, for a savepoint that is undone. */
  readonly #log: [place: string, before: string | undefined][] = []

  /** @param known marks of earlier transactions */
  constructor(known: RecentCache<string> | null = null) {
    this.#known = known
  }

  has(place: string, generation: number, version: number): boolean {
    const found = this.#pending.get(place) ?? this.#known?.get(place)
    return found === markOf(generation, version)
  }

  note(place: string, generation: number, version: number): void {
    this.#set(place, markOf(generation, version))
  }

  /** A request of an earlier generation has changed a child. */
  forget(place: string): void {
    this.#set(place, '')
  }

  #set(place: string, mark: string): void {
    this.#log.push([place, this.#pending.get(place)])
    this.#pending.set(place, mark)
  }

  get length(): number {
    return this.#log.length
  }

  /** Undoes all changes but the first ones. */
  undo(length: number): void {
    for (const [place, before] of this.#log.splice(length).toReversed())
      if (before === undefined) this.#pending.delete(place)
      else this.#pending.set(place, before)
  }

  /** Called once the transaction is committed. */
  commit(): void {
    for (const [place, mark] of this.#pending) this.#known?.put(place, mark, place.length + mark.length)
  }
}

const markOf = (generation: number, version: number): string => `${generation} ${version}`

/** A store whose transactions know the marks of those before them. Only for the store of one process that saves. */
export function withCurrentRollUps(store: RecordStore): RecordStore {
  const known = new RecentCache<string>(maxChars)
  const remembering = async <T>(
    write: (work: (tx: RecordTransactor) => Promise<T>) => Promise<T>,
    work: (tx: RecordTransactor) => Promise<T>,
  ): Promise<T> => {
    let current!: CurrentRollUps
    // The work can run twice.
    const result = await write((tx) => work(marked(tx, (current = new CurrentRollUps(known)))))
    current.commit()
    return result
  }
  return {
    readNow: (work) => store.readNow(work),
    inMoment: (work) => store.inMoment(work),
    read: (work) => store.read(work),
    write: (work) => remembering((marking) => store.write(marking), work),
    writeMany: (work, onSent) => remembering((marking) => store.writeMany(marking, onSent), work),
    removeTraces: () => store.removeTraces(),
    close: () => store.close(),
  }
}

interface MarkedTransactor extends RecordTransactor {
  currentRollUps?: CurrentRollUps
}

/** Undefined if no marks outlive the transaction. */
export const currentRollUpsOf = (tx: RecordTransactor): CurrentRollUps | undefined =>
  (tx as MarkedTransactor).currentRollUps

function marked(tx: RecordTransactor, currentRollUps: CurrentRollUps): MarkedTransactor {
  return {
    ...tx,
    currentRollUps,
    savepoint: (work) => {
      const { length } = currentRollUps
      return tx.savepoint(work).catch((error: unknown) => {
        currentRollUps.undo(length)
        throw error
      })
    },
  }
}
