"""Tag2Text (scenes) as three graphs; what is between them is left to Sightline.

`tag2text-vision`  a picture of 384 x 384 -> its features, and how sure the network is of each tag
`tag2text-tags`    tokens of the tags, and the features -> what the decoder of texts reads
`tag2text-words`   tokens so far of several beams, and that -> the next token of each
"""

import torch
from common import Graph, Source, with_bert
from torch import nn

SIDE = 384
TAG_TOKENS = 40


def model_of(source: Source) -> nn.Module:
    if "tag2text" in source.models:
        return source.models["tag2text"]
    with_bert(source)
    published = source.module("tag2Text.tag2text")
    if source.random_weights:
        bert = published.BertModel
        bert.from_pretrained = classmethod(lambda kind, _, config, **more: kind(config, **more))
        if source.shallow:
            read, settings = published.read_json, published.BertConfig.from_json_file
            published.read_json = lambda path: {**read(path), "depths": [1, 1, 2, 1], "embed_dim": 32, "vision_width": 256}
            published.BertConfig.from_json_file = lambda path: shallow(settings(path))
        model = published.tag2text_caption(image_size=SIDE, vit="swin_b")
        spread(model)
    else:
        path = str(source.checkpoint("caption_model", "tag2text_swin_14m.pth"))
        model = published.tag2text_caption(pretrained=path, image_size=SIDE, vit="swin_b")
    source.models["tag2text"] = source.ready(model)
    return model


def shallow(settings):
    settings.num_hidden_layers = 2
    settings.intermediate_size = 256
    return settings


def spread(model: nn.Module) -> None:
    """Random weights as a constructor leaves them are sure of no tag and say the same of all pictures."""
    nn.init.normal_(model.label_embed.weight, std=1.0)
    nn.init.normal_(model.fc.W, std=0.02)
    nn.init.normal_(model.fc.b, mean=-1.5, std=0.5)
    words = model.text_decoder.bert.embeddings.word_embeddings.weight
    nn.init.normal_(words, std=0.1)
    model.text_decoder.cls.predictions.decoder.weight = words
    for part in (model.text_decoder, model.tag_encoder):
        for name, parameter in part.named_parameters():
            if "crossattention" in name and name.endswith("weight") and parameter.dim() == 2:
                nn.init.normal_(parameter, std=0.06)
    model.text_decoder.cls.predictions.bias.data.normal_(std=0.1)
    model.text_decoder.cls.predictions.bias.data[102] = 2.0


class Vision(nn.Module):
    def __init__(self, model: nn.Module):
        super().__init__()
        self.model = model

    def forward(self, pixels):
        model = self.model
        image = model.visual_encoder(pixels)
        labels = model.label_embed.weight.unsqueeze(0)
        seen = torch.ones(image.shape[:-1], dtype=torch.long)
        tags = model.vision_multi(
            encoder_embeds=labels,
            encoder_hidden_states=image,
            encoder_attention_mask=seen,
            return_dict=False,
            mode="mlr",
        )
        return image, torch.sigmoid(model.fc(tags[0]))


class Tags(nn.Module):
    def __init__(self, model: nn.Module):
        super().__init__()
        self.model = model

    def forward(self, tokens, mask, image):
        return self.model.tag_encoder(
            tokens,
            attention_mask=mask,
            encoder_hidden_states=image,
            encoder_attention_mask=torch.ones(image.shape[:-1], dtype=torch.long),
            return_dict=True,
        ).last_hidden_state


class Words(nn.Module):
    """The mask is made here: the published code makes it for the size that is traced."""

    def __init__(self, model: nn.Module):
        super().__init__()
        self.decoder = model.text_decoder

    def forward(self, tokens, tags):
        count, length = tokens.shape
        bert = self.decoder.bert
        hidden = bert.embeddings(input_ids=tokens)
        later = torch.arange(length)[None, :] > torch.arange(length)[:, None]
        mask = torch.where(later, torch.tensor(-10000.0), torch.tensor(0.0))[None, None]
        seen = tags.expand(count, -1, -1)
        nothing = torch.zeros(1, 1, 1, 1)
        for layer in bert.encoder.layer:
            hidden = layer.attention(hidden, mask)[0]
            hidden = layer.crossattention(hidden, mask, None, seen, nothing)[0]
            hidden = layer.feed_forward_chunk(hidden)
        return self.decoder.cls(hidden[:, -1:])[:, 0]


class Caught(Exception):
    pass


def published_vision(model: nn.Module, pixels: torch.Tensor):
    """What `generate` computes before it reads the tags."""
    caught = []
    hooks = [
        model.visual_encoder.register_forward_hook(lambda _, __, out: caught.append(out)),
        model.fc.register_forward_hook(lambda _, __, out: caught.append(torch.sigmoid(out))),
    ]

    def stop(*_, **__):
        raise Caught

    encode, model.tag_encoder.forward = model.tag_encoder.forward, stop
    try:
        model.generate(pixels)
    except Caught:
        pass
    finally:
        model.tag_encoder.forward = encode
        for hook in hooks:
            hook.remove()
    return caught[0], caught[1]


def vision(source: Source) -> Graph:
    model = model_of(source)
    inputs = [(torch.randn(1, 3, SIDE, SIDE),), (torch.randn(1, 3, SIDE, SIDE),)]
    published = lambda pixels: published_vision(model, pixels)
    return Graph(Vision(model), published, inputs, ["pixels"], ["image", "tags"])


def some_tags() -> tuple[torch.Tensor, torch.Tensor]:
    used = int(torch.randint(2, TAG_TOKENS, (1,)))
    tokens = torch.zeros(1, TAG_TOKENS, dtype=torch.int64)
    tokens[0, :used] = torch.randint(1000, 30000, (used,))
    tokens[0, 0], tokens[0, used - 1] = 30523, 102
    return tokens, (torch.arange(TAG_TOKENS) < used).long()[None]


def tags(source: Source) -> Graph:
    model = model_of(source)
    width = model.visual_encoder.num_features
    inputs = [(*some_tags(), torch.randn(1, 145, width)) for _ in range(2)]
    published = lambda tokens, mask, image: model.tag_encoder(
        tokens, attention_mask=mask, encoder_hidden_states=image, return_dict=True
    ).last_hidden_state
    return Graph(Tags(model), published, inputs, ["tokens", "mask", "image"], ["encoded"])


def words(source: Source) -> Graph:
    model = model_of(source)
    inputs = [(torch.randint(1000, 30000, (n, t)), torch.randn(1, TAG_TOKENS, 768)) for n, t in ((3, 6), (1, 4), (3, 29))]
    published = lambda tokens, encoded: model.text_decoder(
        tokens, encoder_hidden_states=encoded.expand(len(tokens), -1, -1), return_dict=True
    ).logits[:, -1]
    dynamic = {"tokens": {0: "beams", 1: "length"}, "logits": {0: "beams"}}
    return Graph(Words(model), published, inputs, ["tokens", "tags"], ["logits"], dynamic)
