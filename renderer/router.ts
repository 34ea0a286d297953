// The URLs of the studio: every place has one, and reloading it shows the same place.
import { createRouter, createWebHistory, type RouteRecordRaw } from 'vue-router'
import Explorer from './frame/explorer.vue'
import { trackNavigations } from './frame/pending-navigation.ts'
import type { PageName } from './frame/navigation.ts'

declare module 'vue-router' {
  interface RouteMeta {
    /** The page of the navigation that the URL belongs to. */
    activity?: PageName
    /** False if the URL only redirects. */
    tab?: false
    /** Has a tab beside that of the page of the navigation. */
    ownTab?: true
    /** Shown without the frame. */
    bare?: true
    /** A review of older content: of a whole generation, or of the changes of one generation. */
    restores?: 'restore' | 'revert'
    /** The panel at the right: the inspector of a component, a page's own panel, or nothing. */
    right?: 'inspector' | 'decision' | 'controls' | 'why'
  }
}

const appsSide = () => import('./pages/apps/apps-side.vue')

const operatePages = {
  outbox: () => import('./pages/operate/outbox-page.vue'),
  breakers: () => import('./pages/operate/breakers-page.vue'),
  trace: () => import('./pages/operate/trace-page.vue'),
}

const routes: RouteRecordRaw[] = [
  {
    path: '/',
    components: { default: () => import('./pages/home/home-page.vue'), side: Explorer },
    meta: { activity: 'explorer', tab: false },
  },
  {
    path: '/c/:type/:key',
    components: {
      default: () => import('./pages/component/component-page.vue'),
      side: Explorer,
      right: () => import('./frame/inspector.vue'),
    },
    meta: { activity: 'explorer', right: 'inspector' },
  },
  {
    path: '/new/:type',
    components: { default: () => import('./pages/component/new-page.vue'), side: Explorer },
    meta: { activity: 'explorer', tab: false },
  },
  {
    path: '/changes',
    components: {
      default: () => import('./pages/changes/changes-page.vue'),
      side: () => import('./pages/changes/changes-side.vue'),
      right: () => import('./pages/changes/decision.vue'),
    },
    meta: { activity: 'changes', right: 'decision' },
  },
  {
    path: '/search',
    components: {
      default: () => import('./pages/search/search-page.vue'),
      side: () => import('./pages/search/search-side.vue'),
    },
    meta: { activity: 'search' },
  },
  {
    path: '/time/:set?',
    components: {
      default: () => import('./pages/time/time-page.vue'),
      side: () => import('./pages/time/time-side.vue'),
    },
    meta: { activity: 'time' },
  },
  {
    path: '/flags/:key?',
    components: {
      default: () => import('./pages/flags/flags-page.vue'),
      side: () => import('./pages/flags/flags-side.vue'),
    },
    meta: { activity: 'flags' },
  },
  {
    path: '/requests',
    components: {
      default: () => import('./pages/requests/requests-page.vue'),
      side: () => import('./pages/requests/requests-side.vue'),
    },
    meta: { activity: 'requests' },
  },
  {
    path: '/requests/:id',
    components: {
      default: () => import('./pages/requests/request-page.vue'),
      side: () => import('./pages/requests/requests-side.vue'),
      right: () => import('./pages/requests/request-decision.vue'),
    },
    meta: { activity: 'requests', right: 'decision' },
  },
  {
    path: '/playground',
    components: {
      default: () => import('./pages/playground/playground-page.vue'),
      side: () => import('./pages/playground/playground-side.vue'),
    },
    meta: { activity: 'playground' },
  },
  {
    path: '/results/:id?',
    components: {
      default: () => import('./pages/results/results-page.vue'),
      side: () => import('./pages/results/results-side.vue'),
    },
    meta: { activity: 'results' },
  },
  {
    path: '/generations/:generation?',
    components: {
      default: () => import('./pages/generations/generation-page.vue'),
      side: () => import('./pages/generations/generations-side.vue'),
    },
    meta: { activity: 'generations' },
  },
  ...(['restore', 'revert'] as const).map((restores): RouteRecordRaw => ({
    path: `/${restores}/:generation`,
    components: {
      default: () => import('./pages/changes/restore-page.vue'),
      side: () => import('./pages/generations/generations-side.vue'),
      right: () => import('./pages/changes/restore-decision.vue'),
    },
    meta: { activity: 'generations', right: 'decision', restores },
  })),
  {
    path: '/people/clients/:key?',
    components: {
      default: () => import('./pages/clients/clients-page.vue'),
      side: () => import('./pages/people/people-side.vue'),
    },
    meta: { activity: 'people' },
  },
  {
    path: '/people/credentials/:key?',
    components: {
      default: () => import('./pages/credentials/credentials-page.vue'),
      side: () => import('./pages/people/people-side.vue'),
    },
    meta: { activity: 'people' },
  },
  {
    path: '/people/:kind(users|groups)?/:key?',
    components: {
      default: () => import('./pages/people/people-page.vue'),
      side: () => import('./pages/people/people-side.vue'),
    },
    meta: { activity: 'people' },
  },
  {
    path: '/audit',
    components: { default: () => import('./pages/audit/audit-page.vue'), side: Explorer },
    meta: { activity: 'audit' },
  },
  {
    path: '/deploy',
    components: {
      default: () => import('./pages/deploy/deploy-page.vue'),
      side: () => import('./pages/deploy/deploy-side.vue'),
    },
    meta: { activity: 'deploy' },
  },
  {
    path: '/deploy/:remote',
    components: {
      default: () => import('./pages/deploy/remote-page.vue'),
      side: () => import('./pages/deploy/deploy-side.vue'),
      right: () => import('./pages/deploy/push-panel.vue'),
    },
    meta: { activity: 'deploy', right: 'decision' },
  },
  ...(['outbox', 'breakers', 'trace'] as const).map((part): RouteRecordRaw => ({
    path: `/operate/${part}/:item?`,
    components: { default: operatePages[part], side: () => import('./pages/operate/operate-side.vue') },
    meta: { activity: 'operate' },
  })),
  ...(
    [
      ['/operate/bulk', () => import('./pages/operate/bulk/bulk-page.vue')],
      ['/operate/bulk/new', () => import('./pages/operate/bulk/new-job-page.vue')],
      ['/operate/bulk/:item', () => import('./pages/operate/bulk/job-page.vue')],
      ['/operate/deliveries', () => import('./pages/operate/deliveries/deliveries-page.vue')],
      ['/operate/deliveries/test', () => import('./pages/operate/deliveries/test-page.vue')],
      ['/operate/deliveries/refused', () => import('./pages/operate/deliveries/refused-page.vue')],
      ['/operate/deliveries/:item', () => import('./pages/operate/deliveries/delivery-page.vue')],
      ['/operate/events', () => import('./pages/operate/events/channels-page.vue')],
      ['/operate/events/:item', () => import('./pages/operate/events/channel-page.vue')],
      ['/operate/subscriptions', () => import('./pages/operate/events/subscriptions-page.vue')],
    ] as const
  ).map(([path, page]): RouteRecordRaw => ({
    path,
    components: { default: page, side: () => import('./pages/operate/operate-side.vue') },
    meta: { activity: 'operate' },
  })),
  { path: '/operate', redirect: '/operate/outbox' },
  {
    path: '/records/:object?',
    components: {
      default: () => import('./pages/records/records-page.vue'),
      side: () => import('./pages/records/records-side.vue'),
    },
    meta: { activity: 'records' },
  },
  {
    path: '/records/:object/:id',
    components: {
      default: () => import('./pages/records/record-page.vue'),
      side: () => import('./pages/records/records-side.vue'),
      right: () => import('./pages/records/why-panel.vue'),
    },
    meta: { activity: 'records', right: 'why' },
  },
  {
    path: '/archives',
    components: {
      default: () => import('./pages/archives/archives-page.vue'),
      side: () => import('./pages/records/records-side.vue'),
    },
    meta: { activity: 'records' },
  },
  {
    path: '/apps/:app?',
    components: { default: () => import('./pages/apps/apps-page.vue'), side: appsSide },
    meta: { activity: 'apps' },
  },
  {
    path: '/apps/:app/pages/:page',
    components: { default: () => import('./pages/apps/app-page.vue'), side: appsSide },
    meta: { activity: 'apps' },
  },
  {
    path: '/apps/:app/flows/:flow',
    components: { default: () => import('./pages/apps/flow-page.vue'), side: appsSide },
    meta: { activity: 'apps' },
  },
  {
    path: '/apps/:app/records/:object',
    components: { default: () => import('./pages/records/records-page.vue'), side: appsSide },
    meta: { activity: 'apps' },
  },
  {
    path: '/apps/:app/records/:object/:id',
    components: {
      default: () => import('./pages/records/record-page.vue'),
      side: appsSide,
      right: () => import('./pages/records/why-panel.vue'),
    },
    meta: { activity: 'apps', right: 'why' },
  },
  {
    path: '/lookup',
    components: {
      default: () => import('./pages/lookup/lookup-page.vue'),
      side: () => import('./pages/lookup/lookup-side.vue'),
      right: () => import('./pages/lookup/lookup-controls.vue'),
    },
    meta: { activity: 'lookup', right: 'controls' },
  },
  {
    path: '/sign-in',
    component: () => import('./pages/sign-in/sign-in-page.vue'),
    meta: { tab: false, bare: true },
  },
  {
    path: '/accounts',
    components: { default: () => import('./pages/accounts/accounts-page.vue'), side: Explorer },
    meta: { activity: 'settings', ownTab: true },
  },
  {
    path: '/settings',
    components: { default: () => import('./pages/settings/settings-page.vue'), side: Explorer },
    meta: { activity: 'settings' },
  },
  {
    path: '/:rest(.*)*',
    components: { default: () => import('./pages/start/not-found-page.vue'), side: Explorer },
    meta: { activity: 'explorer', tab: false },
  },
]

export const router = createRouter({ history: createWebHistory(), routes })
trackNavigations(router)
