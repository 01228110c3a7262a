import { config } from '@vscode/l10n';
import * as vscode from 'vscode';

config({ contents: vscode.l10n.bundle ?? {} });
