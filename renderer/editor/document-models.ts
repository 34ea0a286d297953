// One model per component, which outlives its editor: its edits can be undone from any tab, any side and the form.
import type { LoadedMonaco, Model } from './monaco.ts'

const maxModels = 40
/** Most recent last. */
const models = new Map<string, Model>()

/**
 * Returns the model of a component, created with `text` if it does not exist yet. Disposes the oldest that no editor
 * shows.
 */
export function documentModel({ monaco }: LoadedMonaco, type: string, name: string, text: string): Model {
  const id = `${type}/${name}`
  const uri = monaco.Uri.parse(`almanac:///${type}/${encodeURIComponent(name)}.json`)
  const model = models.get(id) ?? monaco.editor.createModel(text, 'json', uri)
  models.delete(id)
  models.set(id, model)
  for (const [each, old] of models) {
    if (models.size <= maxModels) break
    if (old.isAttachedToEditor()) continue
    models.delete(each)
    old.dispose()
  }
  return model
}
