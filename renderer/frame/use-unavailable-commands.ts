// Which commands are currently unavailable, and why: the palette and the desktop's menu disable them. Their keys still
// do what is possible.
import { computed, type ComputedRef } from 'vue'
import { useDocuments } from '../stores/documents.ts'
import { useOrg } from '../stores/org.ts'
import type { CommandId } from './commands.ts'

export function useUnavailableCommands(): ComputedRef<ReadonlyMap<CommandId, string>> {
  const org = useOrg()
  const documents = useDocuments()
  return computed(() => {
    const reasons = new Map<CommandId, string>()
    if (documents.open.size === 0) reasons.set('keep', 'nothing is open')
    if (org.readOnly) reasons.set('new-draft', 'you cannot make changes')
    if (org.org?.drafts === 0) reasons.set('apply', 'no drafts')
    return reasons
  })
}
