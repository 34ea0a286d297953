// Objects by their key or by an alias, which a rename leaves.
import type { ComponentView } from '../view.ts'

const aliasesOf = new WeakMap<ComponentView, ReadonlyMap<string, string>>()

/** The key of an object; undefined if no object has this key or alias. */
export function objectKeyOf(view: ComponentView, name: string): string | undefined {
  if (view.has('object', name)) return name
  let aliases = aliasesOf.get(view)
  if (aliases === undefined) {
    const objects = [...view.list('object')]
    aliases = new Map(objects.flatMap(({ key, body }) => body.aliases.map((alias) => [alias, key])))
    aliasesOf.set(view, aliases)
  }
  return aliases.get(name)
}
