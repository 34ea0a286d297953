// HTTP types shared by the server and its clients (docs/reference/http.md).
export type { AppliedView, ChangeView, Denial, PlanView } from './changes.ts'
export type {
  ComponentDetail,
  ComponentFacts,
  ComponentPage,
  ComponentRow,
  DraftState,
  OrgView,
  RoomView,
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
export type { ResolutionStep, EvaluationInputs, ResolutionExplanation, ResultView } from './results.ts'
export type {
  AuditRow,
  DiscardedDrafts,
  DraftSummary,
  DraftRow,
  GenerationKind,
  GenerationRequest,
  GenerationRow,
  VersionRow,
} from './rows.ts'
