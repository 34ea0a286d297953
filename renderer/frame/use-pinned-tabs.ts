// Keeps a preview tab once its component is edited, in any way: the server reports that there is a draft.
import { onUnmounted } from 'vue'
import { useLive } from '../stores/live.ts'
import { useOrg } from '../stores/org.ts'
import { useTabs } from '../stores/tabs.ts'
import { addressOf } from './address.ts'

export function usePinnedTabs(): void {
  const live = useLive()
  const org = useOrg()
  const tabs = useTabs()
  const off = live.on('draft', ({ id, version, author }) => {
    if (author !== org.org?.me.key || version === 0) return
    for (const each of pagesOf(id)) tabs.pinAll(addressOf(each).path)
  })
  onUnmounted(off)
}

/** The component's own page, and the sheet of its set. */
function pagesOf(id: string): string[] {
  const set = /^config_entry\/([^.]+)\./.exec(id)?.[1]
  return set === undefined ? [id] : [id, `config_set/${set}`, `feature_flag/${set}`]
}
