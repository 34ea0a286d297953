// An apply whose response was lost: its outcome is looked up as soon as the server responds again.
import { fetchGenerations } from '../api/pipeline.ts'

/** What was sent. */
export interface SentApply {
  base: number
  changeDigest: string
}

/** Returns the generation of the apply; null if it wrote none. @throws ApiError while the server does not respond */
export async function findAppliedGeneration({ base, changeDigest }: SentApply): Promise<number | null> {
  const { generations } = await fetchGenerations()
  const found = generations.find((row) => row.generation > base && row.changeDigest === changeDigest)
  return found?.generation ?? null
}

/** The message for the user. */
export interface LostReplyOutcome {
  generation: number | null
  words: string
}

export function outcomeWords(generation: number | null): LostReplyOutcome {
  const words =
    generation === null
      ? 'The connection was lost before anything was applied. No generation was written, and all drafts are still here. Apply again.'
      : `Generation ${generation} was applied. The connection was lost before the server could confirm it.`
  return { generation, words }
}

export const waitingWords =
  'The connection was lost during the apply. As soon as the server responds, the studio checks whether a generation was written. Until then nothing is sent again.'
