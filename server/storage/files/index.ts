// What is stored in files beside the databases.
export { fileParts } from './ingest-parts.ts'
