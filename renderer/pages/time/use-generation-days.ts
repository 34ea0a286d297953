// The instants at which generations became active, read on demand.
import { shallowReactive } from 'vue'
import { fetchGenerations } from '../../api/pipeline.ts'

const daysByGeneration = shallowReactive(new Map<number, string | null>())

/** The instant; null while it is not known, or if the generation does not exist. */
export function generationAt(generation: number): string | null {
  if (!daysByGeneration.has(generation)) {
    daysByGeneration.set(generation, null)
    fetchGenerations(generation + 1, 1).then(
      ({ generations: [row] }) => {
        if (row?.generation === generation) daysByGeneration.set(generation, row.at)
      },
      () => daysByGeneration.delete(generation),
    )
  }
  return daysByGeneration.get(generation) ?? null
}
