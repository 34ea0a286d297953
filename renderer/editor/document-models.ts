// One model per component, which outlives its editor: its edits can be undone from any tab, any side and the form.
import type { LoadedMonaco, Model } from './monaco.ts'

const maxModels = 40
/** Most recent last. */
const kept = new Map<string, Model>()

/**
 * Returns the model of a component, created with `text` if it does not exist yet. Disposes the oldest that no editor
 * shows.
 */
export function documentModel({ monaco }: LoadedMonaco, type: string, name: string, text: string): Model {
  const id = `${type}/${name}`
  const uri = monaco.Uri.parse(`almanac:///${type}/${encodeURIComponent(name)}.json`)
  const model = kept.get(id) ?? monaco.editor.createModel(text, 'json', uri)
  kept.delete(id)
  kept.set(id, model)
  for (const [each, old] of kept) {
    if (kept.size <= maxModels) break
    if (old.isAttachedToEditor()) continue
    kept.delete(each)
    old.dispose()
  }
  return model
}
