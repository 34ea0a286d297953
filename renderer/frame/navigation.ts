// The permanent pages, in order: the rail, the commands and the tabs are built from this list.
import type { SystemPermission } from '#kernel/components/permission-set/system-permissions.ts'
import type { IconName } from './icons.ts'

interface Page {
  name: string
  label: string
  path: string
  icon: IconName
  /** At the foot of the rail. */
  foot?: true
  /** Where it leads users without a permission. */
  without?: { permission: SystemPermission; path: string }
}

export const navigation = [
  { name: 'explorer', label: 'Home', path: '/', icon: 'home' },
  { name: 'search', label: 'Search', path: '/search', icon: 'search' },
  { name: 'changes', label: 'Changes', path: '/changes', icon: 'review' },
  { name: 'time', label: 'Time machine', path: '/time', icon: 'clock' },
  { name: 'flags', label: 'Flags', path: '/flags', icon: 'flag' },
  { name: 'playground', label: 'Playground', path: '/playground', icon: 'play' },
  { name: 'results', label: 'Results', path: '/results', icon: 'sigma' },
  { name: 'generations', label: 'Generations', path: '/generations', icon: 'layers' },
  { name: 'audit', label: 'Audit', path: '/audit', icon: 'audit' },
  { name: 'requests', label: 'Change requests', path: '/requests', icon: 'okay' },
  { name: 'deploy', label: 'Deploy', path: '/deploy', icon: 'deploy' },
  { name: 'records', label: 'Records', path: '/records', icon: 'db' },
  { name: 'apps', label: 'Apps', path: '/apps', icon: 'box' },
  {
    name: 'operate',
    label: 'Operate',
    path: '/operate/outbox',
    icon: 'pulse',
    // Every user has bulk jobs, channels and subscriptions.
    without: { permission: 'operations.manage', path: '/operate/bulk' },
  },
  { name: 'lookup', label: 'Lookup gallery', path: '/lookup', icon: 'lookup' },
  { name: 'people', label: 'Access', path: '/people', icon: 'people', foot: true },
  { name: 'settings', label: 'Settings', path: '/settings', icon: 'sliders', foot: true },
] as const satisfies readonly Page[]

/** Where a page leads a user. */
export const pathFor = (page: Page, can: (permission: SystemPermission) => boolean): string =>
  page.without === undefined || can(page.without.permission) ? page.path : page.without.path

export type PageName = (typeof navigation)[number]['name']

/** Pages of a section that have tabs of their own, by the beginning of their paths. */
export const sectionPages: readonly {
  path: string
  label: string
  icon: IconName
  /** Each of its items has a tab. */
  hasItemTabs?: true
  /** Shown to operators alone. */
  isForOperators?: true
}[] = [
  { path: '/operate/outbox', label: 'Outbox', icon: 'deploy', isForOperators: true },
  { path: '/operate/breakers', label: 'Circuit breakers', icon: 'hold', isForOperators: true },
  { path: '/operate/trace', label: 'Traces', icon: 'pulse', isForOperators: true },
  { path: '/operate/deliveries', label: 'Deliveries', icon: 'hook', hasItemTabs: true, isForOperators: true },
  { path: '/operate/bulk', label: 'Bulk jobs', icon: 'table', hasItemTabs: true },
  { path: '/operate/events', label: 'Event channels', icon: 'stream', hasItemTabs: true },
  { path: '/operate/subscriptions', label: 'Subscriptions', icon: 'pin' },
  {
    path: '/people/clients',
    label: 'Integration clients',
    icon: 'client',
    hasItemTabs: true,
    isForOperators: true,
  },
  { path: '/people/credentials', label: 'Credentials', icon: 'lock' },
]
