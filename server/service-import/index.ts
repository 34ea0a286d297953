// Imports of descriptions for external services, before the transaction of the apply that names them.
export {
  createServiceImports,
  type ImportCaller,
  type ImportedService,
  type ServiceImportsEngine,
} from './service-imports.ts'
export { importInThread, type ImportReply, type ImportTask } from './import-task.ts'
export { importNeed, type ImportNeed } from './import-need.ts'
export { withServiceImports, type ImportRunner } from './with-service-imports.ts'
export type { DescriptionImporter, ServiceImportDeps } from './deps.ts'
