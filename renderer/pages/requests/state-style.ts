// The state of a change request, in words and as an icon.
import type { ChangeRequestEvent, ChangeRequestState } from '../../api/wire.ts'
import type { IconName } from '../../frame/icons.ts'

export const requestStateStyles = {
  open: { words: 'waiting for approval', icon: 'clock', tone: '' },
  approved: { words: 'approved', icon: 'okay', tone: 'ok' },
  failed: { words: 'scheduled apply failed', icon: 'error', tone: 'err' },
  applied: { words: 'applied', icon: 'deploy', tone: 'ok' },
  rejected: { words: 'rejected', icon: 'error', tone: 'err' },
  withdrawn: { words: 'withdrawn', icon: 'undo', tone: 'muted' },
} as const satisfies Record<ChangeRequestState, { words: string; icon: IconName; tone: string }>

/** As in "Ines approved it". */
export const eventWords = {
  created: 'submitted it',
  edited: 'edited it',
  approved: 'approved it',
  approvals_voided: 'voided the approvals:',
  commented: 'commented',
  scheduled: 'scheduled it for',
  unscheduled: 'removed its date',
  failed: 'could not be applied:',
  rejected: 'rejected it',
  withdrawn: 'withdrew it',
  applied: 'applied it',
} as const satisfies Record<ChangeRequestEvent['kind'], string>
