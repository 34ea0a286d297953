// The parts of a job that contain a text, also across their ends: parts are cut anywhere.
import type { IngestPart, PartStore } from '../ports/ingest.ts'
import { formsOf } from './erased-text.ts'

/** @param parts by number; some can be missing */
export async function partsWith(
  store: PartStore,
  parts: readonly IngestPart[],
  texts: readonly string[],
): Promise<IngestPart[]> {
  const forms = texts.flatMap(formsOf).map((form) => Buffer.from(form))
  const longest = Math.max(0, ...forms.map(({ length }) => length))
  const found = new Set<IngestPart>()
  /** The end of what was read, and the parts that it is of, each with where it begins there. */
  let tail = Buffer.alloc(0)
  let inTail: { part: IngestPart; from: number }[] = []
  let number = 0
  for (const part of parts) {
    if (part.number !== number + 1) [tail, inTail] = [Buffer.alloc(0), []]
    number = part.number
    inTail.push({ part, from: tail.length })
    for await (const chunk of store.read(part.job, part.name, 0)) {
      const text = Buffer.concat([tail, chunk])
      for (const form of forms)
        for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1))
          for (const [index, each] of inTail.entries()) {
            const end = inTail[index + 1]?.from ?? text.length
            if (each.from < at + form.length && at < end) found.add(each.part)
          }
      const cut = Math.max(0, text.length - Math.max(0, longest - 1))
      tail = text.subarray(cut)
      inTail = inTail
        .filter((_, index) => (inTail[index + 1]?.from ?? Infinity) > cut)
        .map((each) => ({ ...each, from: Math.max(0, each.from - cut) }))
    }
  }
  return parts.filter((part) => found.has(part))
}
