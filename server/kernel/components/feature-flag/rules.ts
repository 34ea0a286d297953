// Rules for flags: an owner, an expiry, and no change to the value after expiry
// (docs/reference/resolution-and-dates.md).
import { compareDates, formatLongDate } from '../../dates/civil-date.ts'
import { idOf } from '../component.ts'
import { missingOrgMessage } from '../config-set/rules.ts'
import type { Rule } from '../define.ts'
import { explainGroup, explainUser } from '../principals.ts'
import { errorFinding, warningFinding } from '../report.ts'
import { unreadableKeyFindings } from '../unreadable-keys.ts'
import { frozenFlag, frozenMessage, isFrozen } from './frozen.ts'

type FlagRule = Rule<'feature_flag'>

const keySpace: FlagRule = (flag, { view }) => {
  const set = view.get('config_set', flag.key)
  if (set === undefined) return []
  const message = `A configuration set and a flag both have the key "${flag.key}", but sets and flags share one key space. Rename one of them.`
  return [
    errorFinding(flag, '/key', 'key.shared_space', message, {
      related: [{ component: idOf(set), path: '/key' }],
    }),
  ]
}

const readable: FlagRule = (flag) => unreadableKeyFindings(flag, '/key', flag.key, `flag.${flag.key}`)

const ownerIsLive: FlagRule = (flag, { principals }) => {
  const { owner } = flag.body
  const isUser = 'user' in owner
  const reason = isUser ? explainUser(owner.user, principals) : explainGroup(owner.group, principals)
  if (reason === null) return []
  const path = isUser ? '/body/owner/user' : '/body/owner/group'
  return [errorFinding(flag, path, 'flag.owner', `The owner of the flag ${flag.key} is not valid. ${reason}`)]
}

const chainHasOrg: FlagRule = (flag) =>
  flag.body.scopes.includes('org')
    ? []
    : [errorFinding(flag, '/body/scopes', 'config.org_scope_missing', missingOrgMessage(flag.key))]

const frozenDefault: FlagRule = (flag, context) => {
  if (frozenFlag(flag.key, context) === null) return []
  const before = context.base?.get('feature_flag', flag.key)
  if (before === undefined || before.body.default === flag.body.default) return []
  return [
    errorFinding(flag, '/body/default', 'flag.frozen', `Its default cannot change. ${frozenMessage(flag)}`),
  ]
}

const freshRationale: FlagRule = (flag, { base, formerRationales }) => {
  const before = base?.get('feature_flag', flag.key)
  if (before === undefined || compareDates(flag.body.expiresOn, before.body.expiresOn) <= 0) return []
  const rationale = flag.body.rationale?.trim() ?? ''
  const former = [before.body.rationale ?? '', ...formerRationales(flag.key)].map((each) => each.trim())
  if (rationale !== '' && !former.includes(rationale)) return []
  const cause = rationale === '' || rationale === former[0] ? '' : ': the flag had this one before'
  const message =
    `The expiry of the flag ${flag.key} moves from ${formatLongDate(before.body.expiresOn)} to ${formatLongDate(flag.body.expiresOn)} ` +
    `without a new rationale${cause}. Explain in its rationale why the switch is still needed; a rollback or a revert uses the rationale that you enter for it.`
  return [errorFinding(flag, '/body/rationale', 'flag.rationale', message)]
}

const expired: FlagRule = (flag, { today }) =>
  isFrozen(flag, today) ? [warningFinding(flag, '/body/expiresOn', 'flag.expired', frozenMessage(flag))] : []

export const featureFlagRules: readonly FlagRule[] = [
  keySpace,
  readable,
  ownerIsLive,
  chainHasOrg,
  frozenDefault,
  freshRationale,
  expired,
]
