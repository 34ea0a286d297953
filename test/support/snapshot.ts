// A generation for evaluation, built in memory from components, for tests.
import { componentDigest, nobleSha256, setDigest } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { MemoryView } from '#kernel/components/memory-view.ts'
import { buildSetSlice, type EvaluationSnapshot, type SetSlice } from '#kernel/config/index.ts'

export function snapshotOver(components: Iterable<Component>, generation: number): EvaluationSnapshot {
  const view = new MemoryView(components)
  const sets = new Map<string, SetSlice>()
  for (const definition of [...view.list('config_set'), ...view.list('feature_flag')]) {
    const entries = [...view.entriesOf(definition.key)].sort((a, b) => (a.key < b.key ? -1 : 1))
    const digests = entries.map((entry) => componentDigest(entry, nobleSha256))
    const digest = setDigest(componentDigest(definition, nobleSha256), digests, nobleSha256)
    sets.set(definition.key, buildSetSlice(definition, entries, digest))
  }
  return { generation, view, slice: { generation, sets, bytes: 0 } }
}
