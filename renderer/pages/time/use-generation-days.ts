// The instants at which generations became active, read on demand.
import { shallowReactive } from 'vue'
import { fetchGenerations } from '../../api/pipeline.ts'

const known = shallowReactive(new Map<number, string | null>())

/** The instant; null while it is not known, or if the generation does not exist. */
export function generationAt(generation: number): string | null {
  if (!known.has(generation)) {
    known.set(generation, null)
    fetchGenerations(generation + 1, 1).then(
      ({ generations: [row] }) => {
        if (row?.generation === generation) known.set(generation, row.at)
      },
      () => known.delete(generation),
    )
  }
  return known.get(generation) ?? null
}
