// The title and the icon of a tab, from its path.
import { idOfAddress } from './address.ts'
import type { IconName } from './icons.ts'
import { appPlaceName } from '../stores/app-places.ts'
import { recordName } from '../stores/record-names.ts'
import { idOfSegment } from '../text/record-address.ts'
import { navigation, sectionPages } from './navigation.ts'
import { iconOfId } from './type-icons.ts'

/** Pages that are not in the rail, or that have a different name there. */
const others: readonly { path: string; title: string; icon: IconName }[] = [
  ...sectionPages.map(({ path, label, icon }) => ({ path, title: label, icon })),
  { path: '/people', title: 'Users and groups', icon: 'people' },
  { path: '/archives', title: 'Archived values', icon: 'lock' },
  { path: '/accounts', title: 'Connected accounts', icon: 'user' },
]

/** Beside the pages of single deliveries. */
const deliveryPages: Readonly<Record<string, string>> = {
  test: 'Test delivery',
  refused: 'Refused deliveries',
}

/** Our own IDs are long and differ mostly at their end; those of a source are shown. */
function recordTitle(object: string, segment: string | undefined): string {
  const label = recordName(`/records/${object}`) ?? object
  if (segment === undefined) return label
  const id = idOfSegment(decoded(segment))
  return id === null ? `New ${label}` : `${label} ${id.length > 20 ? id.slice(-4) : id}`
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

export function tabLabel(path: string): { title: string; icon: IconName } {
  const id = idOfAddress(path)
  if (id !== null) return { title: id.slice(id.indexOf('/') + 1), icon: iconOfId(id) }
  // The same record has the same name inside and outside of an app.
  const [records, object, recordId] = /\/records\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? []
  if (object !== undefined)
    return { title: recordName(records!) ?? recordTitle(object, recordId), icon: 'db' }
  const [, app, place] = /^\/apps\/([^/]+)(?:\/(?:pages|flows)\/([^/]+))?$/.exec(path) ?? []
  if (app !== undefined) return { title: appPlaceName(path) ?? place ?? app, icon: 'box' }
  const [, job] = /^\/operate\/bulk\/([^/]+)$/.exec(path) ?? []
  if (job !== undefined)
    return {
      title: recordName(path) ?? (job === 'new' ? 'New bulk job' : `Bulk job ${job.slice(-4)}`),
      icon: 'table',
    }
  const [, delivery] = /^\/operate\/deliveries\/([^/]+)$/.exec(path) ?? []
  if (delivery !== undefined)
    return {
      title: recordName(path) ?? deliveryPages[delivery] ?? `Delivery ${delivery.slice(-4)}`,
      icon: 'hook',
    }
  const [, channel] = /^\/operate\/events\/([^/]+)$/.exec(path) ?? []
  if (channel !== undefined) return { title: decoded(channel), icon: 'stream' }
  const [, client] = /^\/people\/clients\/([^/]+)$/.exec(path) ?? []
  if (client !== undefined) return { title: decoded(client), icon: 'client' }
  const other = others.find((each) => each.path === path)
  if (other !== undefined) return other
  const page = navigation.find((each) => each.path === path)
  return page === undefined ? { title: path, icon: 'dot' } : { title: page.label, icon: page.icon }
}
