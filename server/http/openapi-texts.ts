// The texts of OpenAPI documents: written in pieces and kept, because it takes longer to write one than everything else does.
import { RecentCache } from '#kernel/memo/recent-cache.ts'
import { runInChunks } from '../pipeline/index.ts'
import { inBlocks, jsonPieces } from './json-text.ts'

/** Characters of the texts that are kept. */
const mostKept = 32 * 1024 * 1024
/** Characters of one of them. A longer one is written again for each response, as fast as its client reads. */
const longestKept = mostKept / 4

/** Each path and each schema is a piece. */
const separateLevels = 3

const blocksOf = (document: object): Generator<string> => inBlocks(jsonPieces(document, separateLevels))

export class DocumentTexts {
  readonly #longest: number
  readonly #ids = new WeakMap<object, string>()
  readonly #texts = new RecentCache<readonly string[]>(mostKept)
  /** Of requests that came before the first one had its document: they share it. */
  readonly #pending = new Map<string, Promise<Iterable<string>>>()
  #nextId = 1

  constructor(longest = longestKept) {
    this.#longest = longest
  }

  /** @param basis from which the document follows */
  of(basis: object, build: () => Promise<object>): Promise<Iterable<string>> {
    let id = this.#ids.get(basis)
    if (id === undefined) this.#ids.set(basis, (id = String(this.#nextId++)))
    const known = this.#texts.get(id)
    if (known !== undefined) return Promise.resolve(known)
    const pending = this.#pending.get(id) ?? this.#write(id, build)
    this.#pending.set(id, pending)
    return pending
  }

  async #write(id: string, build: () => Promise<object>): Promise<Iterable<string>> {
    try {
      const document = await build()
      const pieces = await runInChunks(this.#keptPieces(document))
      if (pieces === null) return { [Symbol.iterator]: () => blocksOf(document) }
      this.#texts.put(id, ...pieces)
      return pieces[0]
    } finally {
      this.#pending.delete(id)
    }
  }

  /** With their characters; null if they are too many. */
  *#keptPieces(document: object): Generator<void, [string[], number] | null> {
    const pieces: string[] = []
    let length = 0
    for (const piece of blocksOf(document)) {
      pieces.push(piece)
      length += piece.length
      if (length > this.#longest) return null
      yield
    }
    return [pieces, length]
  }
}
