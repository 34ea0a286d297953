// HTTP types shared by the server and its clients (docs/reference/http.md).
export type {
  AppliedView,
  AppliedViewOf,
  ChangeView,
  Denial,
  DiffView,
  PlanView,
  PlanViewOf,
  RepairView,
} from './changes.ts'
export type { AppliedRequestView, RequestDetailView, SubmittedRequestView } from './change-requests.ts'
export type {
  ComponentCounts,
  ComponentDetail,
  ComponentFacts,
  ComponentPage,
  ComponentRow,
  DraftState,
  OrgView,
  PrincipalsView,
  RoomView,
  WhereUsedView,
} from './components.ts'
export type {
  HomeChange,
  HomeDay,
  HomeDraft,
  HomeFlag,
  HomeGeneration,
  HomeRejectedRequest,
  HomeRequest,
  HomeView,
} from './home.ts'
export type {
  ResolutionStep,
  EvaluationInputs,
  ResolutionExplanation,
  ResultView,
  SetResolutionExplanation,
} from './results.ts'
export type {
  AuditRow,
  DiscardedDrafts,
  DraftNames,
  DraftSummary,
  DraftRow,
  GenerationKind,
  GenerationRequest,
  GenerationRow,
  SavedDraftView,
  VersionRow,
} from './rows.ts'
