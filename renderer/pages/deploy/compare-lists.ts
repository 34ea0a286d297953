// The lists of a comparison that the user can choose.
import type { CompareState } from '#wire/remotes.ts'

export const lists = {
  differs: {
    label: 'All differences',
    states: ['only_local', 'changed_local', 'only_remote', 'changed_remote', 'both'],
  },
  here: { label: 'Changed locally', states: ['only_local', 'changed_local'] },
  there: { label: 'Changed remotely', states: ['only_remote', 'changed_remote'] },
  both: { label: 'Both', states: ['both'] },
} as const satisfies Record<string, { label: string; states: readonly CompareState[] }>
export type ListName = keyof typeof lists | 'drift'
