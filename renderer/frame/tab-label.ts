// The title and the icon of a tab, from its path alone.
import { idOfAddress } from './address.ts'
import type { IconName } from './icons.ts'
import { navigation } from './navigation.ts'
import { iconOfId } from './type-icons.ts'

export function tabLabel(path: string): { title: string; icon: IconName } {
  const id = idOfAddress(path)
  if (id !== null) return { title: id.slice(id.indexOf('/') + 1), icon: iconOfId(id) }
  const page = navigation.find((each) => each.path === path)
  return page === undefined ? { title: path, icon: 'dot' } : { title: page.label, icon: page.icon }
}
