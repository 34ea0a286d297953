// All access to files that a user names.
export { fileError, isFileError } from './file-error.ts'
export { makeFolder } from './folder.ts'
export { plainText, readBytes, readText } from './read-file.ts'
export { ComponentFolder } from './component-folder.ts'
export { writeChunks, writeFileAtomic } from './write-file.ts'
