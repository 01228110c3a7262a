/** The command line that installs Claude Code. */
export const claudeInstallation = 'npm install -g @anthropic-ai/claude-code';
