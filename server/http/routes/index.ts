// Every route, in the order of the document (style 5: order is data).
import type { Route } from '../route.ts'
import { explainedAccess, myAccess } from './access.ts'
import { audit } from './audit.ts'
import { apply, diff, plan, rollback, validate } from './change-lists.ts'
import { clientSecrets } from './client-secrets.ts'
import { component, componentCounts, componentHistory, components } from './components.ts'
import { discardDraft, drafts, saveDraft } from './drafts.ts'
import {
  checkExpression,
  completions,
  evaluateExpression,
  recomputeResult,
  replayResult,
} from './evaluate.ts'
import { events } from './events.ts'
import { generation, generations } from './generations.ts'
import { health, readiness } from './health.ts'
import { importTable } from './import.ts'
import { metrics } from './metrics.ts'
import { oauthToken } from './oauth-token.ts'
import { openapiRoute } from './openapi.ts'
import { org } from './org.ts'
import { principals } from './principals.ts'
import { problems } from './problems.ts'
import { rename } from './rename.ts'
import { repair } from './repair.ts'
import { explainWalk, resolve } from './resolve.ts'
import { archiveResult, evidence, rebindResult, results } from './results.ts'
import { guide } from './retired-versions.ts'
import { retrieve } from './retrieve.ts'
import { rooms } from './rooms.ts'
import { session } from './session.ts'
import { types } from './types.ts'
import { whereUsed } from './where-used.ts'

export const routes: readonly Route[] = [
  components,
  componentCounts,
  component,
  whereUsed,
  componentHistory,
  generations,
  generation,
  retrieve,
  diff,
  validate,
  plan,
  apply,
  rollback,
  rename,
  audit,
  types,
  org,
  rooms,
  principals,
  drafts,
  saveDraft,
  discardDraft,
  problems,
  repair,
  importTable,
  resolve,
  evaluateExpression,
  checkExpression,
  completions,
  replayResult,
  recomputeResult,
  explainWalk,
  evidence,
  results,
  rebindResult,
  archiveResult,
  myAccess,
  explainedAccess,
  clientSecrets,
  events,
  oauthToken,
  session,
  health,
  readiness,
  metrics,
  guide,
  openapiRoute(() => routes),
]
